//go:build unix

package agenttest

import (
	"syscall"
	"time"
)

// Spent is the processor's time that this process has used up: what other programs do on the machine is not
// in it.
func Spent() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

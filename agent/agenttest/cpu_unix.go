//go:build unix

package agenttest

import (
	"syscall"
	"time"
)

// Spent returns the processor time that this process has used, unaffected by other programs on the machine.
func Spent() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

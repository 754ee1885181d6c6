//go:build !unix

package agenttest

import "time"

var start = time.Now()

// Spent returns the time that has passed.
func Spent() time.Duration { return time.Since(start) }

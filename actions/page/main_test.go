package page_test

import (
	"os"
	"testing"
)

// TestMain lets the test's program also be the child process that reads bombs. The compiled PDF reader is
// kept in the cache of whoever runs the tests, as the program keeps it: under the race detector, compiling it
// takes a minute.
func TestMain(m *testing.M) {
	if !child() {
		os.Exit(m.Run())
	}
}

package page_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets the test's program also be the child process that reads bombs, and keeps the compiled PDF
// reader out of the cache of who runs the tests.
func TestMain(m *testing.M) {
	if !child() {
		os.Exit(withCache(m))
	}
}

func withCache(m *testing.M) int {
	folder, err := os.MkdirTemp("", "daybook-page")
	if err == nil {
		err = os.Setenv("XDG_CACHE_HOME", folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return m.Run()
}

//go:build race || !linux

package page_test

// child is about the bomb shelter, which measures memory: the race detector takes its own, and other systems
// count in other ways.
func child() bool { return false }

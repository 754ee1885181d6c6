//go:build !race

package agenttest

// raced reports whether the race detector is on, which slows things tenfold and unevenly.
const raced = false

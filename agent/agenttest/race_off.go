//go:build !race

package agenttest

// raced says that the race detector is on, which takes ten times as long and not evenly.
const raced = false

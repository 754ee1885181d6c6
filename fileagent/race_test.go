//go:build race

package fileagent_test

// shadow is how many times more memory a program takes when the race detector watches it.
const shadow = 5

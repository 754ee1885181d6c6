//go:build !race

package fileagent_test

// shadow is how many times more memory a program takes when nothing watches it.
const shadow = 1

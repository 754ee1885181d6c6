package shell

// The limits of a line, for tests.
const (
	MaxLine   = maxLine
	MaxOutput = maxOutput
)

package fileagent

// MaxSteps is how many replies a file operation may take, for tests.
const MaxSteps = maxSteps

package export

// Sanitised is the second wall alone, for a test that has broken the first.
var Sanitised = sanitised

// What the tests name of the inside.
const (
	MaxReport       = maxReport
	A4        Paper = "a4"
	Letter    Paper = "letter"
)

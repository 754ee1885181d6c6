package export

// Sanitised is the second wall alone, for a test that has broken the first.
var Sanitised = sanitised

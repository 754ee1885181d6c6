package citation

// Locate is what finds a quote, for tests.
var Locate = locate

package prose

// Table is the Chinese for each English text that the program says.
var Table = table

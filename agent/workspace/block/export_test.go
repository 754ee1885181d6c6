package block

// MaxLength is how long a block may be, for tests.
const MaxLength = maxLength

package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash is the name of a text: its SHA-256 in hex digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

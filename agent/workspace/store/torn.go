package store

import (
	"bytes"
	"os"
	"strings"
)

// Sector is the size of the pieces in which a disk keeps a file or loses it, in bytes. Larger ones are
// multiples of it.
const Sector = 512

// Torn says whether data is what a power cut may leave of a text: some of its sectors and zeros in place of
// others, or nothing but zeros.
func Torn(data []byte, text string) bool {
	if len(bytes.Trim(data, "\x00")) == 0 {
		return true
	}
	if len(data) > len(text) || (len(data) < len(text) && len(data)%Sector != 0) {
		return false
	}
	for i := 0; i < len(data); i += Sector {
		piece := data[i:min(i+Sector, len(data))]
		if string(piece) != text[i:i+len(piece)] && len(bytes.Trim(piece, "\x00")) > 0 {
			return false
		}
	}
	return true
}

// BootID names the time since the machine was started; "" where it is not known.
func BootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

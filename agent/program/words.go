package program

import (
	"strings"
	"sync"
)

const maxWords = 8 << 10 // bytes

// Words keeps the end of what a program says, to be told when it fails.
type Words struct {
	mu   sync.Mutex
	text string
}

// Write implements io.Writer.
func (w *Words) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text += string(text[max(0, len(text)-maxWords):])
	w.text = w.text[max(0, len(w.text)-maxWords):]
	return len(text), nil
}

// Last is the end of it, of at most so many bytes.
func (w *Words) Last(most int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ToValidUTF8(w.text[max(0, len(w.text)-most):], "")
}

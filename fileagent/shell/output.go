package shell

import (
	"io"
	"strings"
	"sync"
)

// output collects what all commands of a line print, and stops the line when that is too much.
type output struct {
	mu   sync.Mutex
	text strings.Builder
	stop func(error)
}

// Write takes as much as fits.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := MaxOutput - o.text.Len(); len(p) > room {
		o.text.Write(p[:room])
		o.stop(errOutput)
		return room, errOutput
	}
	return o.text.Write(p)
}

// String is what was printed so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// nothing is /dev/null as it is written to.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }

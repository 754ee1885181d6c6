package main

import (
	"os"
	"strconv"

	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// display shows what happens in a run. Its methods may be called from several goroutines.
type display interface {
	// observe hears of an event.
	observe(e agent.Event)
	// say shows a line of the program's own.
	say(text string)
	// stopping shows a line of the program's own after which the run ends as soon as it can.
	stopping(text string)
	// hold clears the way for a question to the person, until the function that it returns is called.
	hold() (goOn func())
	// close takes away what is not to stay. Lines may still be said.
	close()
	// result writes how the run ended to stdout; f says why there is no report, and is nil when there is one.
	result(r researcher.Result, f *fault) error
}

// display chooses how to show a run: as JSON when asked for, live on a terminal that a person looks at, else
// as plain lines.
func (c *runCommand) display(term terminal, s settings) display {
	if c.JSON {
		return newJSONDisplay(term)
	}
	plain := &plainDisplay{narrator: narrator{lang: c.speaks(), verbose: c.Verbose}, term: term}
	if isLive(term.stderr) {
		plain.narrator.live = !c.Verbose
		return newLiveDisplay(plain, c, s)
	}
	return plain
}

// isLive says whether lines on it can be drawn anew, and whether anybody sees that.
func isLive(f *os.File) bool {
	ci := os.Getenv("CI")
	if on, err := strconv.ParseBool(ci); err == nil && !on {
		ci = ""
	}
	return term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb" && ci == ""
}

func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

func isColoured(f *os.File) bool {
	return isTerminal(f) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// widthOf is the width of a terminal, 0 for what is none.
func widthOf(f *os.File) int {
	width, _, _ := term.GetSize(f.Fd())
	return width
}

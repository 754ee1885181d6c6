package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// liveDisplay keeps a few lines at the end of the terminal that say where the run stands; milestones scroll
// away above them. It changes no mode of the terminal, so that whatever ends the process, the shell finds it
// as it was.
type liveDisplay struct {
	plain   *plainDisplay
	dir     string
	asked   string // the question of the command line
	verbose bool
	colour  bool

	mu       sync.Mutex
	progress progress
	drawn    []string // the block as it stands on the screen
	shows    bool     // the block is on the screen
	held     bool     // while a person is asked
	closed   bool     // nothing is drawn any more
	over     chan struct{}
}

var _ display = (*liveDisplay)(nil)

const (
	up         = "\x1b[%dA"
	eraseRight = "\x1b[K"
	eraseBelow = "\x1b[J"
	bold       = "\x1b[1m"
	faint      = "\x1b[2m"
	green      = "\x1b[32m"
	normal     = "\x1b[m"

	frame = 250 * time.Millisecond // between two paintings when nothing happens: the clock shows seconds
)

func newLiveDisplay(plain *plainDisplay, c *runCommand, s settings) *liveDisplay {
	return &liveDisplay{
		plain: plain, dir: c.Dir, asked: c.Question, verbose: c.Verbose, colour: os.Getenv("NO_COLOR") == "", over: make(chan struct{}),
		progress: progress{lang: plain.narrator.lang, began: time.Now(), question: clean(c.Question),
			maxSteps: value(s.MaxSteps, researcher.DefaultSteps), maxCost: value(s.MaxCost, 0),
			maxTime: time.Duration(value(s.MaxMinutes, 0)) * time.Minute},
	}
}

func (d *liveDisplay) observe(e agent.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.progress.take(e, &d.plain.narrator)
	if !d.shows {
		d.shows = true
		go d.keepPainting()
	}
	l := d.plain.narrator.tell(e)
	if !l.milestone && !d.verbose {
		l.text = ""
	}
	columns, _ := d.size()
	switch e.(type) {
	case researcher.Kept, researcher.Refreshed, agent.Waiting: // the end of which matters
		d.paint(wrapped(l.text, columns))
	default:
		d.paint(cut(l.text, columns-1))
	}
}

// keepPainting keeps the clock going.
func (d *liveDisplay) keepPainting() {
	d.look()
	tick := time.NewTicker(frame)
	defer tick.Stop()
	for {
		plan := planIn(d.dir)
		select {
		case <-d.over:
			return
		case <-tick.C:
			d.mu.Lock()
			d.progress.plan = plan
			if d.shows {
				d.paint("")
			}
			d.mu.Unlock()
		}
	}
}

// look asks the workspace what is being researched, when the command line did not say, and how its rounds
// stand. Before a run has begun another question, the folder is still that of the one before.
func (d *liveDisplay) look() {
	there := planIn(d.dir).sources
	status, err := researcher.Open(d.dir).Status()
	if err != nil {
		return // the run itself says what is wrong
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.progress.older = there
	if d.asked == "" {
		d.progress.question = clean(status.Question)
	}
	if d.progress.question == clean(status.Question) {
		d.progress.judged(status)
		d.progress.before = status.Ran
		d.progress.older = there - status.Sources
	}
}

// paint draws the block where it stands, below a line that is to stay, in one write so that nothing flickers.
// d.mu is held.
func (d *liveDisplay) paint(above string) {
	if d.held {
		if above != "" {
			d.plain.say(above)
		}
		return
	}
	columns, rows := d.size()
	var out strings.Builder
	d.toTop(&out, columns)
	if above != "" {
		out.WriteString(eraseBelow + above + "\n")
	}
	const margin = 4 // free for what the terminal echoes of the keyboard
	d.drawn = d.progress.block(columns-margin, rows, time.Now())
	for i, l := range d.drawn {
		if i > 0 {
			out.WriteString("\n")
		}
		out.WriteString(d.styled(i, l) + eraseRight)
	}
	out.WriteString(eraseBelow)
	fmt.Fprint(d.plain.term.stderr, out.String())
}

func (d *liveDisplay) styled(row int, l string) string {
	switch text := strings.TrimSpace(l); {
	case !d.colour:
		return l
	case row == 0:
		return bold + l + normal
	case strings.HasPrefix(text, "▸"):
		return l
	case strings.HasPrefix(text, "✓"):
		return green + l + normal
	}
	return faint + l + normal
}

// toTop goes to the block's first column, by the rows that its lines take up in the window as it is now.
func (d *liveDisplay) toTop(out *strings.Builder, columns int) {
	rows := 0
	for _, l := range d.drawn {
		rows += max(1, (ansi.StringWidth(l)+columns-1)/columns)
	}
	out.WriteString("\r")
	if rows > 1 {
		fmt.Fprintf(out, up, rows-1)
	}
}

// erase takes the block off the screen.
func (d *liveDisplay) erase() {
	var out strings.Builder
	columns, _ := d.size()
	d.toTop(&out, columns)
	fmt.Fprint(d.plain.term.stderr, out.String()+eraseBelow)
}

func (d *liveDisplay) size() (columns, rows int) {
	columns, rows, err := term.GetSize(d.plain.term.stderr.Fd())
	if err != nil || columns < 1 {
		return 80, 24
	}
	return columns, rows
}

// say shows a line whole, wrapped: unlike those of the story, its end may be what matters.
func (d *liveDisplay) say(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	columns, _ := d.size()
	if text = wrapped(text, columns); !d.shows {
		d.plain.say(text)
		return
	}
	d.paint(text)
}

func (d *liveDisplay) stopping(text string) {
	d.mu.Lock()
	d.progress.stopping = true
	d.mu.Unlock()
	d.say(text)
}

// wrapped wraps each line of a text, further lines of it two columns deeper than it.
func wrapped(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		deep := len(line) - len(strings.TrimLeft(line, " "))
		lines[i] = wrap(line, columns, strings.Repeat(" ", deep+2))
	}
	return strings.Join(lines, "\n")
}

// hold takes the block off the screen while a person is asked.
func (d *liveDisplay) hold() func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shows {
		d.erase()
		d.drawn = nil
	}
	d.held = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.held = false
	}
}

func (d *liveDisplay) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	close(d.over)
	d.closed = true
	if d.shows {
		d.shows = false
		d.erase()
	}
}

func (d *liveDisplay) result(r researcher.Result, f *fault) error { return d.plain.result(r, f) }

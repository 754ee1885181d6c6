package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"mvdan.cc/sh/v3/interp"
)

// Names are the commands, in the order of the alphabet.
func Names() []string {
	return []string{"cat", "cut", "diff", "find", "grep", "head", "ls", "sed", "sort", "tail", "uniq", "wc"}
}

// A program is what a command does: it reads its arguments, prints, and gives its exit status, or says why it could not begin.
type program func(ctx context.Context, c *call, args []string) (int, error)

// command is the program behind a name, nil when there is none.
func command(name string) program {
	switch name {
	case "cat":
		return cat
	case "cut":
		return cut
	case "diff":
		return diff
	case "find":
		return find
	case "grep":
		return grep
	case "head":
		return head
	case "ls":
		return ls
	case "sed":
		return sed
	case "sort":
		return sorted
	case "tail":
		return tail
	case "uniq":
		return uniq
	case "wc":
		return wc
	}
	return nil
}

// call is one run of a command.
type call struct {
	*hands
	name   string
	in     io.Reader // the pipe or file before it, nil when there is none
	out    *bufio.Writer
	errs   io.Writer
	failed bool // an operand could not be read
	deaf   bool // nobody reads what is printed any more
	mute   bool // what could not be read is not spoken of
}

// errInput says that a command was given nothing to read.
var errInput = errors.New("no file is named, and nothing is piped in")

func newCall(ctx context.Context, h *hands, name string, at interp.HandlerContext) *call {
	c := &call{hands: h, name: name, errs: at.Stderr}
	c.out = bufio.NewWriter(writerFunc(func(p []byte) (int, error) {
		n, err := at.Stdout.Write(p)
		c.deaf = c.deaf || err != nil
		return n, err
	}))
	if at.Stdin != nil {
		c.in = c.while(ctx, at.Stdin)
	}
	return c
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// while reads until the line is stopped or nobody listens. All that commands read comes through it, so that none works on for ever.
func (c *call) while(ctx context.Context, in io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		switch {
		case ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case c.deaf:
			return 0, io.ErrClosedPipe
		}
		return in.Read(p)
	})
}

// run runs a program and gives its exit status. That the reader of its output is gone, as behind head, is no fault to speak of.
func (c *call) run(ctx context.Context, p program, args []string) int {
	status, err := p(ctx, c, args)
	if err != nil {
		c.say(err)
		return 2
	}
	if c.out.Flush() != nil || (c.failed && status == 0) {
		return 1
	}
	return status
}

// fail says that an operand could not be read. The command goes on with the next.
func (c *call) fail(err error) {
	c.failed = true
	c.say(err)
}

// say tells of a fault. Why the line is stopped is told once, at its end.
func (c *call) say(err error) {
	_, stopped := errors.AsType[reason](err)
	if c.out.Flush() != nil || c.mute || stopped {
		return
	}
	if _, err := fmt.Fprintf(c.errs, "%s: %v\n", c.name, err); err != nil {
		c.failed = true
	}
}

// each reads the operands one after another, "-" and none at all being what is piped in. use says with false that it has had enough.
func (c *call) each(ctx context.Context, names []string, use func(name string, in io.Reader) (bool, error)) error {
	if len(names) == 0 {
		if c.in == nil {
			return errInput
		}
		names = []string{"-"}
	}
	for _, name := range names {
		more, err := c.one(ctx, name, use)
		if err != nil {
			c.fail(err)
		}
		if !more || c.deaf || ctx.Err() != nil {
			return nil
		}
	}
	return nil
}

func (c *call) one(ctx context.Context, name string, use func(string, io.Reader) (bool, error)) (more bool, err error) {
	if name == "-" {
		if c.in == nil {
			return true, errInput
		}
		return use(name, c.in)
	}
	f, err := c.open(ctx, name)
	if err != nil {
		return true, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	more, err = use(name, c.while(ctx, f))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return more || err != nil, err
}

// text reads one operand whole.
func (c *call) text(ctx context.Context, name string) (text string, err error) {
	_, err = c.one(ctx, name, func(_ string, in io.Reader) (bool, error) {
		data, err := io.ReadAll(io.LimitReader(in, maxText+1))
		if err == nil && len(data) > maxText {
			err = fmt.Errorf("larger than %d MiB", maxText>>20)
		}
		text = string(data)
		return true, err
	})
	return text, err
}

// maxText is the largest file that is held whole, in bytes.
const maxText = 8 << 20

// maxLineRead is the longest line, in bytes; no text that a person wrote has longer ones.
const maxLineRead = 256 << 10

// eachLine gives the lines of a text without their ends, until use has had enough.
func eachLine(in io.Reader, use func(line string) bool) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLineRead)
	for lines.Scan() {
		if !use(lines.Text()) {
			return nil
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line has more than %d bytes; this is no text", maxLineRead)
	}
	return lines.Err()
}

// isFolder says whether a path names a folder.
func (c *call) isFolder(ctx context.Context, name string) bool {
	info, err := c.info(ctx, name)
	return err == nil && info == nil
}

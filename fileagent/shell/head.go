package shell

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// piece is the options that head and tail have in common.
func piece() syntaxOf {
	return syntaxOf{letters: "n:c:qv", number: 'n', long: map[string]rune{"lines": 'n', "bytes": 'c', "quiet": 'q', "verbose": 'v'}}
}

// titled names a file before its piece when there are several.
func (c *call) titled(o options, use func(in io.Reader) error) func(string, io.Reader) (bool, error) {
	several, begun := (len(o.rest) > 1 || o.has('v')) && !o.has('q'), false
	return func(name string, in io.Reader) (bool, error) {
		if several {
			if begun {
				fmt.Fprintln(c.out)
			}
			fmt.Fprintf(c.out, "==> %s <==\n", name)
			begun = true
		}
		return true, use(in)
	}
}

// head prints the beginnings of files.
func head(ctx context.Context, c *call, args []string) (int, error) {
	o, err := piece().read(args)
	if err != nil {
		return 0, err
	}
	n, err := o.number('n', 10)
	if err != nil {
		return 0, err
	}
	bytes, err := o.number('c', 0)
	if err != nil {
		return 0, err
	}
	return 0, c.each(ctx, o.rest, c.titled(o, func(in io.Reader) error {
		if o.has('c') {
			_, err := io.Copy(c.out, io.LimitReader(in, int64(bytes)))
			return err
		}
		left := n
		if left == 0 {
			return nil
		}
		return eachLine(in, func(line string) bool {
			left--
			fmt.Fprintln(c.out, line)
			return left > 0
		})
	}))
}

// tail prints the ends of files, with -n +N all from line N on.
func tail(ctx context.Context, c *call, args []string) (int, error) {
	o, err := piece().read(args)
	if err != nil {
		return 0, err
	}
	unit := 'n'
	if o.has('c') {
		unit = 'c'
	}
	from, fromStart := strings.CutPrefix(o.last(unit), "+")
	if fromStart {
		o.values[unit] = []string{from}
	}
	n, err := o.number(unit, 10)
	if err != nil {
		return 0, err
	}
	return 0, c.each(ctx, o.rest, c.titled(o, func(in io.Reader) error {
		switch {
		case fromStart && unit == 'c':
			if _, err := io.CopyN(io.Discard, in, int64(max(n-1, 0))); err != nil && err != io.EOF {
				return err
			}
			_, err := io.Copy(c.out, in)
			return err
		case fromStart:
			at := 0
			return eachLine(in, func(line string) bool {
				if at++; at >= n {
					fmt.Fprintln(c.out, line)
				}
				return true
			})
		case unit == 'c':
			return lastBytes(in, c.out, n)
		}
		return lastLines(in, c.out, n)
	}))
}

// perLine is about what holding a line costs beside its bytes.
const perLine = 48

func lastLines(in io.Reader, out *bufio.Writer, n int) error {
	var held []string
	size := 0
	err := eachLine(in, func(line string) bool {
		held = append(held, line)
		size += len(line) + perLine
		for first := 0; len(held) > n; held = held[1:] {
			size -= len(held[first]) + perLine
		}
		return size <= maxHeld
	})
	if err != nil {
		return err
	}
	if size > maxHeld {
		return fmt.Errorf("the last %d lines have more than %d MiB; ask for fewer", n, maxHeld>>20)
	}
	for _, line := range held {
		fmt.Fprintln(out, line)
	}
	return nil
}

func lastBytes(in io.Reader, out *bufio.Writer, n int) error {
	if n > maxText {
		return fmt.Errorf("the last %d bytes are more than %d MiB; ask for fewer", n, maxText>>20)
	}
	var held []byte
	buf := make([]byte, 64<<10)
	for {
		got, err := in.Read(buf)
		held = append(held, buf[:got]...)
		if len(held) > 2*n+len(buf) || err != nil {
			held = append(held[:0], held[max(len(held)-n, 0):]...)
		}
		if err == io.EOF {
			_, err := out.Write(held)
			return err
		}
		if err != nil {
			return err
		}
	}
}

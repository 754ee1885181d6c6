package shell

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// cat prints files, with -n their lines numbered.
func cat(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "n", long: map[string]rune{"number": 'n'}}.read(args)
	if err != nil {
		return 0, err
	}
	n := 0
	return 0, c.each(ctx, o.rest, func(_ string, in io.Reader) (bool, error) {
		if !o.has('n') {
			_, err := io.Copy(c.out, in)
			return true, err
		}
		err := eachLine(in, func(line string) bool {
			n++
			fmt.Fprintf(c.out, "%6d\t%s\n", n, line)
			return true
		})
		return true, err
	})
}

// wc counts lines, words, letters and bytes.
func wc(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "lwmc", long: map[string]rune{"lines": 'l', "words": 'w', "chars": 'm', "bytes": 'c'}}.read(args)
	if err != nil {
		return 0, err
	}
	show := "lwmc"
	if len(o.values) == 0 {
		show = "lwc"
	}
	tell := func(counted map[rune]int, name string) {
		var fields []string
		for _, what := range show {
			if len(o.values) == 0 || o.has(what) {
				fields = append(fields, fmt.Sprint(counted[what]))
			}
		}
		if name != "-" {
			fields = append(fields, name)
		}
		fmt.Fprintln(c.out, strings.Join(fields, " "))
	}
	total := map[rune]int{}
	err = c.each(ctx, o.rest, func(name string, in io.Reader) (bool, error) {
		counted, err := count(in)
		if err != nil {
			return true, err
		}
		tell(counted, name)
		for what, n := range counted {
			total[what] += n
		}
		return true, nil
	})
	if len(o.rest) > 1 {
		tell(total, "total")
	}
	return 0, err
}

// count counts what wc tells. A letter is counted at its first byte, so that where a read ends does not matter.
func count(in io.Reader) (map[rune]int, error) {
	var lines, words, letters, bytes int
	buf, inWord := make([]byte, 64<<10), false
	for {
		n, err := in.Read(buf)
		bytes += n
		for _, b := range buf[:n] {
			if utf8.RuneStart(b) {
				letters++
			}
			space := b == ' ' || (b >= '\t' && b <= '\r')
			if b == '\n' {
				lines++
			}
			if !space && !inWord {
				words++
			}
			inWord = !space
		}
		if err == io.EOF {
			return map[rune]int{'l': lines, 'w': words, 'm': letters, 'c': bytes}, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

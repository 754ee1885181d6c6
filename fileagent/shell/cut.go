package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cut prints fields or letters of each line.
func cut(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "d:f:c:s", long: map[string]rune{"delimiter": 'd', "fields": 'f', "characters": 'c', "only-delimited": 's'}}.read(args)
	if err != nil {
		return 0, err
	}
	if o.has('f') == o.has('c') {
		return 0, errors.New("give -f with fields or -c with letters, such as -f1,3 or -c1-80")
	}
	delimiter := "\t"
	if o.has('d') {
		delimiter = o.last('d')
	}
	if utf8.RuneCountInString(delimiter) != 1 {
		return 0, errors.New("the delimiter must be one letter")
	}
	wanted, err := parseRanges(o.last('f') + o.last('c'))
	if err != nil {
		return 0, err
	}
	return 0, c.each(ctx, o.rest, func(_ string, in io.Reader) (bool, error) {
		err := eachLine(in, func(line string) bool {
			switch {
			case o.has('c'):
				fmt.Fprintln(c.out, string(pick([]rune(line), wanted)))
			case strings.Contains(line, delimiter):
				fmt.Fprintln(c.out, strings.Join(pick(strings.Split(line, delimiter), wanted), delimiter))
			case !o.has('s'):
				fmt.Fprintln(c.out, line)
			}
			return true
		})
		return true, err
	})
}

// maxSpans bounds what is looked through for each field.
const maxSpans = 64

// span is a range of a list, counted from 1; to is 0 for the end.
type span struct{ from, to int }

// parseRanges reads a list such as 1,3-5,7-.
func parseRanges(list string) ([]span, error) {
	var spans []span
	for part := range strings.SplitSeq(list, ",") {
		first, last, ranged := strings.Cut(part, "-")
		s := span{from: 1}
		var err1, err2 error
		if first != "" {
			s.from, err1 = strconv.Atoi(first)
		}
		switch {
		case !ranged:
			s.to = s.from
		case last != "":
			s.to, err2 = strconv.Atoi(last)
		}
		if errors.Join(err1, err2) != nil || s.from < 1 || (s.to != 0 && s.to < s.from) || part == "-" || part == "" {
			return nil, fmt.Errorf("the list %q is not right; write one such as 1,3-5,7-", list)
		}
		if spans = append(spans, s); len(spans) > maxSpans {
			return nil, fmt.Errorf("the list has more than %d parts", maxSpans)
		}
	}
	return spans, nil
}

func pick[T any](all []T, wanted []span) []T {
	var picked []T
	for i, one := range all {
		if slices.ContainsFunc(wanted, func(s span) bool { return i+1 >= s.from && (s.to == 0 || i+1 <= s.to) }) {
			picked = append(picked, one)
		}
	}
	return picked
}

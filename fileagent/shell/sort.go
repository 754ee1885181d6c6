package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// sortKey is a part of each line by which lines are ordered: fields from and to, counted from 1; to is 0 for the end of the line.
type sortKey struct {
	from, to               int
	numeric, reverse, fold bool
}

// maxKeys bounds the keys of a sort; what is equal by so many is equal.
const maxKeys = 8

// sorted orders lines by their bytes, or by keys.
func sorted(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "nrufbsk:t:", long: map[string]rune{
		"numeric-sort": 'n', "reverse": 'r', "unique": 'u', "ignore-case": 'f', "key": 'k', "field-separator": 't', "stable": 's',
	}}.read(args)
	if err != nil {
		return 0, err
	}
	whole := sortKey{numeric: o.has('n'), reverse: o.has('r'), fold: o.has('f')}
	var keys []sortKey
	if len(o.values['k']) > maxKeys {
		return 0, fmt.Errorf("there are more than %d keys", maxKeys)
	}
	for _, text := range o.values['k'] {
		key, err := parseKey(text, whole)
		if err != nil {
			return 0, err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		keys = []sortKey{whole}
	}
	rows, err := c.rows(ctx, o, keys)
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		order := compareRows(a, b, keys)
		if order == 0 && !o.has('s') && !o.has('u') {
			if order = strings.Compare(a.line, b.line); whole.reverse {
				order = -order
			}
		}
		return order
	})
	for i, r := range rows {
		if o.has('u') && i > 0 && compareRows(rows[i-1], r, keys) == 0 {
			continue
		}
		fmt.Fprintln(c.out, r.line)
	}
	return 0, nil
}

// row is a line with its keys, taken out once: comparing is what sorting does most.
type row struct {
	line string
	keys []keyValue
}

type keyValue struct {
	text   string
	number float64
}

// rows reads all that is to be sorted.
func (c *call) rows(ctx context.Context, o options, keys []sortKey) (rows []row, err error) {
	held := 0
	err = c.each(ctx, o.rest, func(_ string, in io.Reader) (bool, error) {
		err := eachLine(in, func(line string) bool {
			r := row{line: line, keys: make([]keyValue, len(keys))}
			for i, k := range keys {
				r.keys[i] = k.of(line, o.last('t'))
			}
			rows = append(rows, r)
			held += (len(line) + perLine) * (1 + len(keys))
			return held <= maxHeld
		})
		return held <= maxHeld, err
	})
	if err == nil && held > maxHeld {
		err = fmt.Errorf("there is more to sort than %d MiB hold; take less with grep, cut or head before", maxHeld>>20)
	}
	return rows, err
}

// parseKey reads a key such as 2, 2,2 or 2nr.
func parseKey(text string, whole sortKey) (sortKey, error) {
	from, to, ended := strings.Cut(text, ",")
	letters := strings.TrimLeft(from, "0123456789") + strings.TrimLeft(to, "0123456789")
	if strings.Trim(letters, "nrfb") != "" {
		return sortKey{}, fmt.Errorf("the key %q is not right; write one such as 2, 2,3 or 2nr", text)
	}
	key := whole
	if letters != "" {
		key = sortKey{numeric: strings.Contains(letters, "n"), reverse: strings.Contains(letters, "r"), fold: strings.Contains(letters, "f")}
	}
	var err1, err2 error
	key.from, err1 = strconv.Atoi(strings.TrimRight(from, "nrfb"))
	if ended {
		key.to, err2 = strconv.Atoi(strings.TrimRight(to, "nrfb"))
	}
	if err := errors.Join(err1, err2); err != nil || key.from < 1 || (ended && key.to < key.from) {
		return sortKey{}, fmt.Errorf("the key %q is not right; fields count from 1, as in 2,3", text)
	}
	return key, nil
}

func compareRows(a, b row, keys []sortKey) int {
	for i, k := range keys {
		order := cmp.Compare(a.keys[i].number, b.keys[i].number)
		if order == 0 {
			order = strings.Compare(a.keys[i].text, b.keys[i].text)
		}
		if k.reverse {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// of is the key of a line. Without a separator fields stand between blanks.
func (k sortKey) of(line, separator string) keyValue {
	part := line
	if k.from > 0 {
		fields, joint := strings.Fields(line), " "
		if separator != "" {
			fields, joint = strings.Split(line, separator), separator
		}
		to := len(fields)
		if k.to > 0 {
			to = min(k.to, to)
		}
		part = strings.Join(fields[min(k.from-1, to):to], joint)
	}
	switch {
	case k.numeric:
		return keyValue{number: leadingNumber(part)}
	case k.fold:
		return keyValue{text: strings.ToUpper(part)}
	}
	return keyValue{text: part}
}

// leadingNumber is the number that a text begins with, 0 for none.
func leadingNumber(text string) float64 {
	text = strings.TrimLeft(text, " \t")
	end := 0
	for end < len(text) && (text[end] == '.' || text[end] == '-' && end == 0 || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	n, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return 0
	}
	return n
}

// uniq drops lines that are as the line before.
func uniq(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "cdui", long: map[string]rune{"count": 'c', "repeated": 'd', "unique": 'u', "ignore-case": 'i'}}.read(args)
	if err != nil {
		return 0, err
	}
	if len(o.rest) > 1 {
		return 0, errors.New("a second file would be written to; here uniq reads one and prints")
	}
	line, times := "", 0
	tell := func() {
		switch {
		case times == 0, o.has('d') && times == 1, o.has('u') && times > 1:
		case o.has('c'):
			fmt.Fprintf(c.out, "%7d %s\n", times, line)
		default:
			fmt.Fprintln(c.out, line)
		}
	}
	err = c.each(ctx, o.rest, func(_ string, in io.Reader) (bool, error) {
		err := eachLine(in, func(next string) bool {
			if times > 0 && (next == line || o.has('i') && strings.EqualFold(next, line)) {
				times++
				return true
			}
			tell()
			line, times = next, 1
			return true
		})
		return true, err
	})
	tell()
	return 0, err
}

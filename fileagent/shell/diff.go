package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// diff prints how two files differ, in the unified form whatever the options.
func diff(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "uqU:", number: 'U', long: map[string]rune{"unified": 'u', "brief": 'q', "color": 0}}.read(args)
	if err != nil {
		return 0, err
	}
	if len(o.rest) != 2 {
		return 0, errors.New("name the two files")
	}
	around, err := o.number('U', 3)
	if err != nil {
		return 0, err
	}
	before, err := c.text(ctx, o.rest[0])
	if err != nil {
		return 0, err
	}
	after, err := c.text(ctx, o.rest[1])
	if err != nil {
		return 0, err
	}
	if before == after {
		return 0, nil
	}
	if o.has('q') {
		fmt.Fprintf(c.out, "%s and %s differ\n", o.rest[0], o.rest[1])
		return 1, nil
	}
	around = min(around, strings.Count(before, "\n")+1) // it is counted through, one by one
	text, err := udiff.ToUnified(o.rest[0], o.rest[1], before, udiff.Lines(before, after), around)
	if err != nil {
		return 0, fmt.Errorf("comparing: %w", err)
	}
	fmt.Fprint(c.out, text)
	return 1, nil
}

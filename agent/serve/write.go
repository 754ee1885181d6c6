package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/gofrs/flock"
)

// maxLine bounds what is written on a dashboard at once, in letters.
const maxLine = 2000

var answerMark = regexp.MustCompile(`(?m)^(?:\*\*Answer:\*\*|\*\*回答：\*\*)`)

// answer writes behind the mark under the open question of the dashboard, as a person does.
func answer(_ context.Context, in input) (string, error) {
	s, err := status(in.dir)
	if err == nil && s.Asks == "" {
		err = fmt.Errorf("the research %s has no open question; write a note instead", in.Research)
	}
	if err != nil {
		return "", err
	}
	return "It is answered.", edit(in.dir, workspace.OverallFile, in.Text, func(board, line string) string {
		if at := answerMark.FindStringIndex(board); at != nil {
			board = board[:at[1]] + " " + line + board[at[1]:]
		}
		return board
	})
}

// note writes at the end of the dashboard, where a person's notes are.
func note(_ context.Context, in input) (string, error) {
	return "It is noted.", edit(in.dir, workspace.CurrentFile, in.Text, func(board, line string) string {
		return strings.TrimRight(board, "\n") + "\n\n" + line + "\n"
	})
}

// stop asks a run to stop.
func stop(_ context.Context, in input) (string, error) {
	if !isAttended(in.dir) {
		return "", fmt.Errorf("the research %s is not running, or was not started by start", in.Research)
	}
	if err := os.WriteFile(beside(in.dir, stopFile), nil, 0o600); err != nil {
		return "", fmt.Errorf("asking it to stop: %w", err)
	}
	return "It is asked to stop.", nil
}

// edit changes a dashboard as an editor does: by a file that takes its place. Whoever else does so here
// waits; when somebody else wrote into it meanwhile, it is changed as it is now.
func edit(dir, file, text string, change func(board, line string) string) error {
	line := prose.OneLine(text)
	if n := utf8.RuneCountInString(line); n > maxLine || n == 0 {
		return fmt.Errorf("the text has %d letters and may have %d, and not 0: say it in parts", n, maxLine)
	}
	lock := flock.New(beside(dir, ".edit"))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("waiting for others who write: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return errors.Join(fmt.Errorf("opening the research: %w", err), lock.Unlock())
	}
	defer func() { _ = errors.Join(root.Close(), lock.Unlock()) }()
	for range 20 {
		before, err := root.ReadFile(file)
		saved := "." + file + "." + rand.Text() + ".saved"
		if err == nil {
			err = root.WriteFile(saved, []byte(change(string(before), line)), 0o644)
		}
		now, failed := root.ReadFile(file)
		if err == nil && failed == nil && string(now) == string(before) {
			return root.Rename(saved, file)
		}
		_ = root.Remove(saved)
		if err = errors.Join(err, failed); err != nil {
			return fmt.Errorf("writing into %s: %w", file, err)
		}
	}
	return fmt.Errorf("%s changes all the time, and nothing was written into it: try it again", file)
}

package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxLine bounds what is written on a dashboard at once, in letters.
const maxLine = 2000

var answerMark = regexp.MustCompile(`(?m)^(?:\*\*Answer:\*\*|\*\*回答：\*\*)`)

// answer writes behind the mark under the open question of the dashboard, as an editor does: by a file that
// takes its place.
func answer(_ context.Context, in input) (string, error) {
	s, err := status(in.dir)
	if err == nil && s.Asks == "" {
		err = fmt.Errorf("the research %s has no open question; write a note instead", in.Research)
	}
	if err != nil {
		return "", err
	}
	return "It is answered.", write(in, func(root *os.Root, line string) error {
		board, err := root.ReadFile(workspace.OverallFile)
		if at := answerMark.FindIndex(board); at != nil {
			const saved = "." + workspace.OverallFile + ".saved"
			text := slices.Concat(board[:at[1]], []byte(" "+line), board[at[1]:])
			return errors.Join(err, root.WriteFile(saved, text, 0o644),
				root.Rename(saved, workspace.OverallFile))
		}
		return errors.Join(err, errors.New("it has no place for an answer"))
	})
}

// note writes at the end of the dashboard, where a person's notes are.
func note(_ context.Context, in input) (string, error) {
	return "It is noted.", write(in, func(root *os.Root, line string) error {
		board, err := root.OpenFile(workspace.CurrentFile, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = board.WriteString("\n\n" + line + "\n")
		return errors.Join(err, board.Close())
	})
}

// write has a line written on a dashboard.
func write(in input, put func(root *os.Root, line string) error) error {
	line := prose.OneLine(in.Text)
	if n := utf8.RuneCountInString(line); n > maxLine || n == 0 {
		return fmt.Errorf("the text has %d letters and may have %d, and not 0: say it in parts", n, maxLine)
	}
	root, err := os.OpenRoot(in.dir)
	if err == nil {
		err = errors.Join(put(root, line), root.Close())
	}
	if err != nil {
		return fmt.Errorf("writing on the dashboard: %w", err)
	}
	return nil
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

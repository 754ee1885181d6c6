package rounds

import (
	"context"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// repoint moves the citations of a report to the blocks that they certainly mean, and returns a line about
// it, or "" if it moved none. A report that cannot be read is left to the gates.
func (p *proposal) repoint(ctx context.Context) (string, error) {
	text, err := p.Workspace.Peek(p.report)
	if err != nil || p.isBound(text) { // nothing moves in a report that nobody has written yet
		return "", nil
	}
	repointed, moves := citation.Read(ctx, text).Repoint(ctx, citation.Of(p.Workspace), func(to workspace.Ref) bool {
		shown := p.Workspace.BlocksShown(to.ID)
		return len(shown) == 0 || shown[to.Block] // of an older version there is no record
	})
	if err := context.Cause(ctx); err != nil {
		return "", fmt.Errorf("checking what %s cites: %w", p.report, err)
	}
	if repointed == text {
		return "", nil
	}
	err = p.Workspace.Amend(p.report, func(now string) (string, error) {
		if now != text {
			return now, nil // somebody wrote meanwhile: the next proposal is checked again
		}
		return repointed, nil
	})
	var told []string
	for _, m := range moves {
		if m.From.Block > 0 { // [s5] to [s5.12] is no news
			told = append(told, fmt.Sprintf("line %d [%s] -> [%s]", m.Line, m.From, m.To))
		}
	}
	if err != nil || len(told) == 0 {
		return "", err
	}
	return fmt.Sprintf("Citations moved to the block that has what they are cited for: %s.",
		strings.Join(bounded(told, 6, "and %d more"), ", ")), nil
}

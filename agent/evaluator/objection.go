package evaluator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// mostObjections is how many of them a report has to answer at once.
const mostObjections = 5

// Objection is a fault that the harsh evaluator finds. Its texts are single lines, bounded as those of an [Assessment].
type Objection struct {
	ID     string `json:"id"`     // O1, O2, …; one that still stands keeps its own
	What   string `json:"what"`   // is wrong, as a statement that can be checked
	Where  string `json:"where"`  // in the report
	Remedy string `json:"remedy"` // what would mend it
}

// Answered is an objection with what the researcher did about it, or why it does not hold.
type Answered struct {
	Objection
	Answer string `json:"answer"`
}

// attack is what the harsh judge says.
type attack struct {
	Objections []struct {
		ID     string `json:"id,omitempty" jsonschema:"only when an objection of before still stands: its id, such as O2"`
		Where  string `json:"where" jsonschema:"the heading of the section, or a few words copied from the report; or: whole report"`
		What   string `json:"what" jsonschema:"what is wrong there, so that it can be checked"`
		Remedy string `json:"remedy" jsonschema:"what would mend it, so that it can be done"`
	} `json:"objections" jsonschema:"the gravest first, five at most; an empty list when nothing grave is left"`
}

// Attack has the report attacked by a harsh judge. answered are the objections of before with their answers, with the report as it is since.
// Those that still stand come back under their ids, new ones get the next; none says that the judge has nothing grave left. Cost and
// errors are those of [Evaluator.Assess].
func (e Evaluator) Attack(ctx context.Context, run Runner, m Material, answered []Answered) ([]Objection, error) {
	action := agent.NewAction("object", "Gives your objections and ends your work.", func(_ context.Context, _ *agent.Turn, a attack) (agent.Outcome, error) {
		if err := a.check(); err != nil {
			return agent.Outcome{}, err
		}
		text, err := json.Marshal(a)
		if err != nil {
			return agent.Outcome{}, fmt.Errorf("keeping the objections: %w", err)
		}
		return agent.Outcome{Effect: agent.Finish, Text: string(text)}, nil
	})
	text, err := e.judge(ctx, run, "harsh-evaluator", action, objecting, m, answered)
	if err != nil {
		return nil, err
	}
	return objections(text, answered)
}

func (a attack) check() error {
	for i, o := range a.Objections {
		if line(o.What, longestLine) == "" || line(o.Remedy, longestLine) == "" {
			return fmt.Errorf("objection %d has no what, or no remedy: say of each what is wrong and what would mend it, and call object with all of them", i+1)
		}
	}
	return nil
}

// objections reads what object actions finished with, several calls of one reply joined, and gives the ids.
func objections(text string, answered []Answered) ([]Objection, error) {
	open := map[string]bool{}
	next := 1
	for _, a := range answered {
		open[a.ID] = true
		next = max(next, number(a.ID)+1)
	}
	var all []Objection
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var a attack
		if err := d.Decode(&a); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading objections: %w: %w", ErrUnreadable, err)
		}
		for _, o := range a.Objections {
			if len(all) == mostObjections {
				return all, nil
			}
			id := strings.ToUpper(strings.TrimSpace(o.ID))
			if !open[id] {
				id = fmt.Sprintf("O%d", next)
				next++
			}
			delete(open, id)
			all = append(all, Objection{ID: id, What: line(o.What, longestLine), Where: line(o.Where, longestLine), Remedy: line(o.Remedy, longestLine)})
		}
	}
}

// number is that of an id; 0 when it has none.
func number(id string) int {
	var n int
	if _, err := fmt.Sscanf(id, "O%d", &n); err != nil {
		return 0
	}
	return n
}

func answersText(answered []Answered) string {
	var out strings.Builder
	for _, a := range answered {
		answer := strings.TrimSpace(a.Answer)
		if answer == "" {
			answer = "(none)"
		}
		fmt.Fprintf(&out, "%s %s\nWhere: %s\nAnswer: %s\n\n", a.ID, line(a.What, longestLine), line(a.Where, longestLine), line(answer, longestText))
	}
	return strings.TrimSpace(out.String())
}

package actions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
)

// update is the input of a dashboard update.
type update struct {
	Text     string            `json:"text,omitempty" jsonschema:"the whole dashboard, or the body of the one section named"`
	Section  string            `json:"section,omitempty" jsonschema:"id of the section that text replaces"`
	Sections map[string]string `json:"sections,omitempty" jsonschema:"bodies by section id, without headings"`
	Lines    []lineChange      `json:"lines,omitempty" jsonschema:"changes of single lines"`
	Fresh    bool              `json:"fresh,omitempty" jsonschema:"whether changes of lines clear your memory too"`
}

// lineChange replaces a text that occurs once on the dashboards, or adds a line to a section.
type lineChange struct {
	Old     string `json:"old,omitempty" jsonschema:"text that is there once"`
	New     string `json:"new" jsonschema:"what it becomes"`
	Section string `json:"section,omitempty" jsonschema:"instead of old: id of the section that new is added to"`
}

// updateDashboard makes the action that updates a dashboard, and sections and lines of both. Replacing a
// section compresses the context; changing lines keeps it.
func (k Kit) updateDashboard(name string, d workspace.Dashboard) agent.Action {
	a := agent.NewAction(name, doc(name),
		func(_ context.Context, turn *agent.Turn, in update) (agent.Outcome, error) {
			texts, err := k.texts(d, in)
			if err != nil {
				return agent.Outcome{}, err
			}
			done, changed, err := k.write(texts)
			if err != nil {
				return agent.Outcome{}, err
			}
			switch {
			case !changed:
				return agent.Say("That says nothing new: " + strings.Join(slices.Sorted(maps.Keys(texts)),
					" and ") + " stands as it was, and your memory was not cleared. Do the next " +
					"step of the task."), nil
			case in.linesAlone() && !in.Fresh && !turn.MustCompress():
				done.Text += shownChanges(in.Lines)
				return done, nil
			}
			k.outside.forget(turn.Step())
			done.Effect = agent.Restart
			return done, nil
		})
	a.Compresses = true
	return a
}

func (in update) linesAlone() bool { return in.Text == "" && in.Section == "" && len(in.Sections) == 0 }

// boards returns the dashboards in the order in which they are written.
func (k Kit) boards() []workspace.Dashboard {
	if k.chapter != "" {
		return []workspace.Dashboard{workspace.BoardOf(k.chapter)}
	}
	return []workspace.Dashboard{workspace.Overall, workspace.Current}
}

// current is the dashboard that holds the user's notes.
func (k Kit) current() workspace.Dashboard { return k.boards()[len(k.boards())-1] }

// bodies maps a dashboard's file to its new bodies by section id; the id "" is the whole text.
type bodies map[string]map[string]string

func (b bodies) put(d workspace.Dashboard, id, text string) {
	if b[d.File] == nil {
		b[d.File] = map[string]string{}
	}
	b[d.File][id] = text
}

// of returns the new body of a section, or the one in the dashboard's text if there is no new one yet.
func (b bodies) of(d workspace.Dashboard, id, text string) string {
	body, given := b[d.File][id]
	if !given {
		body, _ = d.Body(text, id)
	}
	return body
}

// texts returns the new bodies that an update of d asks for, checked as far as is possible without writing.
func (k Kit) texts(d workspace.Dashboard, in update) (bodies, error) {
	made := bodies{}
	if in.linesAlone() && len(in.Lines) == 0 {
		return nil, errors.New("nothing is given: give sections, lines, or text")
	}
	if in.Text != "" || in.Section != "" {
		made.put(d, d.ID(in.Section, k.text(d)), in.Text)
	}
	for _, named := range slices.Sorted(maps.Keys(in.Sections)) {
		of, id := k.owner(d, named)
		if _, twice := made[of.File][id]; twice {
			return nil, fmt.Errorf("the section %q is given twice", id)
		}
		made.put(of, id, in.Sections[named])
	}
	var refused []error // told together: each would cost a reply
	for _, c := range in.Lines {
		if err := k.changeLine(made, c); err != nil {
			refused = append(refused, err)
		}
	}
	if len(refused) > 0 {
		return nil, fmt.Errorf("%w\nNothing was changed", errors.Join(refused...))
	}
	for file, sections := range made {
		if _, whole := sections[""]; whole && len(sections) > 1 {
			return nil, fmt.Errorf(
				"%s is replaced as a whole, and sections of it beside: give one or the other", file)
		}
		for id, text := range sections {
			if err := k.copied(text); err != nil {
				return nil, err
			}
			if file == k.current().File && id == "answers" {
				if err := k.addressed(text); err != nil {
					return nil, err
				}
			}
		}
	}
	return made, nil
}

// text returns a dashboard's text, "" if it cannot be read: the update then reports the error.
func (k Kit) text(d workspace.Dashboard) string {
	text, err := k.Workspace.Peek(d.File)
	if err != nil {
		return ""
	}
	return text
}

// owner returns the dashboard that has a section, d if both or neither have it, and the section's id.
func (k Kit) owner(d workspace.Dashboard, named string) (workspace.Dashboard, string) {
	own := d.ID(named, k.text(d))
	for _, other := range k.boards() {
		if id := other.ID(named, k.text(other)); !slices.Contains(d.Sections, own) &&
			slices.Contains(other.Sections, id) {
			return other, id
		}
	}
	return d, own
}

// changeLine makes a line change and adds the changed section's body to the new bodies. A line that the
// program also copied into the task is changed in its original place.
func (k Kit) changeLine(made bodies, c lineChange) error {
	if c.Old == "" && c.Section != "" {
		k.addLine(made, c)
		return nil
	}
	var holds []string
	var change func()
	done := false
	for _, of := range k.boards() {
		text := k.text(of)
		for _, id := range of.Sections {
			body := made.of(of, id, text)
			isCopy := id == "task" && len(holds) == 1
			if n := strings.Count(body, c.Old); c.Old != "" && n > 0 && !isCopy {
				holds = append(holds, slices.Repeat([]string{id}, n)...)
				change = func() { made.put(of, id, changed(body, c)) }
			}
			cut := k.Workspace.InFlight(of.File) // an interrupted call may have made the change
			done = done || cut && c.New != "" && strings.Contains(body, c.New)
		}
	}
	switch {
	case len(holds) == 1:
		change()
		return nil
	case len(holds) > 1:
		return fmt.Errorf("%q is there %d times, in %s; give more of its line", c.Old, len(holds),
			strings.Join(slices.Compact(holds), ", "))
	case done:
		return nil
	}
	return fmt.Errorf("%q is on neither dashboard; give it letter by letter, as it is there", c.Old)
}

// addLine adds a line to a section and puts the section's body among the new bodies.
func (k Kit) addLine(made bodies, c lineChange) {
	of, id := k.owner(k.boards()[0], c.Section)
	body := made.of(of, id, k.text(of))
	at, added := underHeading(body, c.New)
	cut := k.Workspace.InFlight(of.File) // an interrupted call may have added it
	if !cut || !strings.Contains(body, strings.TrimSpace(added)) {
		body = strings.TrimSpace(body[:at] + added + body[at:])
	}
	made.put(of, id, body)
}

// headNumber matches the number of a heading such as "2. coasts", and the mark after it.
var headNumber = regexp.MustCompile(`^(\d+)([.、．)]?)(?:[\s\p{Han}]|$)`)

// underHeading returns where to insert text in a section's body, and the text with its line breaks. That is
// the end, unless text begins with a heading of the body or its number ("### 2"): the rest goes under that.
func underHeading(body, text string) (at int, added string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	all := markdown.Headings([]byte(body))
	i := -1
	if given := markdown.Headings([]byte(first)); len(given) > 0 {
		i = headingLike(all, given[0].Title)
	}
	if i < 0 {
		return len(body), "\n" + text
	}
	end := len(body)
	if i+1 < len(all) {
		end = all[i+1].Start
	}
	own := strings.TrimRight(body[:end], " \r\n")
	switch rest = strings.Trim(rest, "\r\n"); {
	case rest == "":
		return len(own), ""
	case strings.TrimSpace(body[all[i].Body:end]) == "":
		return len(own), "\n\n" + rest
	}
	return len(own), "\n" + rest
}

// headingLike finds a heading by its title, or by its number alone, as in "2. coasts", since no two share a
// number. A number without a mark after it may be a year or a count.
func headingLike(all []markdown.Section, title string) int {
	same := func(h markdown.Section) bool { return strings.EqualFold(h.Title, title) }
	if i := slices.IndexFunc(all, same); i >= 0 {
		return i
	}
	number := headNumber.FindStringSubmatch(title)
	if number == nil || number[0] != title && number[2] == "" {
		return -1
	}
	return slices.IndexFunc(all, func(h markdown.Section) bool {
		has := headNumber.FindStringSubmatch(h.Title)
		return has != nil && has[1] == number[1] && has[2] != ""
	})
}

// changed returns a body with a line changed, or removed with its line end.
func changed(body string, c lineChange) string {
	if c.New == "" && strings.Contains(body, c.Old+"\n") &&
		(strings.HasPrefix(body, c.Old) || strings.Contains(body, "\n"+c.Old)) {
		return strings.Replace(body, c.Old+"\n", "", 1)
	}
	return strings.Replace(body, c.Old, c.New, 1)
}

// write updates the dashboards, and reports what was done and whether anything is new.
func (k Kit) write(made bodies) (done agent.Outcome, isNew bool, err error) {
	for _, d := range k.boards() {
		sections, given := made[d.File]
		if !given {
			continue
		}
		before := k.text(d)
		if k.Workspace.InFlight(d.File) { // what is there may be the work of this very call
			before = ""
		}
		theirs := k.Workspace.ByHand(d.File)
		kept, err := k.Workspace.UpdateSections(d, sections)
		if err != nil {
			if done.Text != "" {
				err = fmt.Errorf("%w. %s", err, strings.TrimSpace(done.Text))
			}
			return agent.Outcome{}, false, err
		}
		after := k.text(d)
		isNew = isNew || !slices.Equal(strings.Fields(after), strings.Fields(before))
		done.Text += "Updated " + d.File + ". "
		done.Facts = append(done.Facts, agent.Fact{Kind: agent.Changed, Path: d.File})
		// otherwise everything they wrote is still there
		if kept != "" && (len(theirs) == 0 || len(markdown.Lost(theirs, after)) > 0) {
			done.Text += "The version before, which a person had edited, is kept as " + kept + ". "
		}
	}
	done.Text = strings.TrimSpace(done.Text)
	return done, isNew, nil
}

// shownChanges lists changed lines for the history, which still shows the dashboards as they were.
func shownChanges(lines []lineChange) string {
	var out strings.Builder
	for _, c := range lines {
		if c.New == "" {
			out.WriteString("\nGone: " + c.Old)
		} else {
			out.WriteString("\nNow: " + c.New)
		}
	}
	return out.String()
}

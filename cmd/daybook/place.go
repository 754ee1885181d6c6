package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// ownFolder is the folder of a research among the user's files, the same for each question.
const ownFolder = "daybook"

// holdsResearch reports whether a folder holds a research, begun or done, or settings for one. A file of the
// user's own with the name of a dashboard does not count.
func holdsResearch(dir string) bool {
	parts := []string{workspace.OverallFile, workspace.CurrentFile, stateFolder, workspace.SettingsFile}
	if !slices.ContainsFunc(parts, func(name string) bool { return isThere(filepath.Join(dir, name)) }) {
		return false // as in most folders, without a closer look
	}
	w, err := workspace.Open(dir)
	if err != nil {
		return true
	}
	defer w.Close() // it was only read
	return w.Foreign() == ""
}

// personsFiles returns the names of the user's files in a folder, and those that a research there would take
// for its own. Daybook's rules folder does not count: it makes a folder ready for a research.
func personsFiles(dir string) (files, taken []string) {
	own := []string{workspace.OverallFile, workspace.CurrentFile, workspace.NotebookDir, workspace.BoardsDir, workspace.SourcesDir,
		workspace.ArchiveDir, workspace.ChartFile}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil // there is no folder yet, or the run reports what is wrong with it
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name()) // some disks ignore case
		switch {
		case strings.HasPrefix(name, "."), name == workspace.RulesDir:
			continue
		case strings.HasPrefix(name, "report."),
			slices.ContainsFunc(own, func(own string) bool { return strings.EqualFold(own, name) }):
			taken = append(taken, e.Name())
		}
		files = append(files, e.Name())
	}
	return files, taken
}

// isThere reports whether anything has that name, even a link that leads nowhere.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// below returns where research goes in dir: the folder that has it, or a free one; never a link elsewhere.
func below(dir string) string {
	for n := 1; ; n++ {
		at := withNumber(filepath.Join(dir, ownFolder), n)
		if info, err := os.Lstat(at); err != nil || info.IsDir() && holdsResearch(at) {
			return at
		}
	}
}

// withNumber returns a name, with its number from the second on.
func withNumber(name string, n int) string {
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	return name
}

// researchIn returns the research that a folder means: itself, or the one that was begun below it.
func researchIn(dir string) string {
	if at := below(dir); !holdsResearch(dir) && holdsResearch(at) {
		return at
	}
	return dir
}

// noResearch returns the fault for a folder that is no research, with those below it, the latest first.
func noResearch(dir string) *fault {
	named, begin := dir, fmt.Sprintf("begin one with: `daybook run -q \"your question\" %s`", shown(dir))
	if at, err := filepath.Abs(dir); err == nil && dir == "." { // where no name was given
		named, begin = at, "begin one with: `daybook \"your question\"`"
	}
	f := wrongUse(begin, "there is no research in %s", named)
	f.dir, f.below = dir, researchesBelow(dir, 2)
	slices.SortStableFunc(f.below, func(a, b account.Status) int { return b.LastTime.Compare(a.LastTime) })
	if len(f.below) > 0 {
		f.error = fmt.Errorf("there is no research in %s itself, but %d below it:", named, len(f.below))
	}
	return f
}

// researchesBelow returns the researches in the folders of a folder, down to that many levels.
func researchesBelow(dir string, levels int) (all []account.Status) {
	entries, _ := os.ReadDir(dir) // in one that is not readable nothing is found
	for _, e := range entries {
		switch at := filepath.Join(dir, e.Name()); {
		case strings.HasPrefix(e.Name(), "."), !holdsFiles(at):
		case holdsResearch(at):
			if status, err := researcher.Open(at).Status(); err == nil {
				all = append(all, status)
			}
		case levels > 1:
			all = append(all, researchesBelow(at, levels-1)...)
		}
	}
	return all
}

// naming returns a command line with the first research below in place of the folder that has none.
func (f *fault) naming(args []string) string {
	args = slices.Clone(args)
	if at := slices.Index(args, f.dir); at >= 0 {
		args[at] = f.below[0].Dir
	} else {
		args = append(args, f.below[0].Dir)
	}
	return strings.Join(texts(args, shown), " ")
}

// overview lists the researches below a folder that holds none itself.
func (t teller) overview(f *fault) string {
	var out strings.Builder
	t.line(&out, "  ", t.lang.Tell(clean(f.Error())))
	out.WriteString(t.researches(f.below, 20))
	t.line(&out, "  ", t.lang.Say("more of one: `daybook status %s`", shown(f.below[0].Dir)))
	return out.String()
}

// researches lists the first researches by state and folder.
func (t teller) researches(all []account.Status, most int) string {
	var out strings.Builder
	first := all[:min(most, len(all))]
	columns := 0
	for _, s := range first {
		columns = max(columns, ansi.StringWidth(t.lang.Tell(s.State)))
	}
	for _, s := range first {
		t.line(&out, "    ", "  "+padded(t.lang.Tell(s.State), columns)+"  "+shown(s.Dir))
	}
	if more := len(all) - most; more > 0 {
		t.line(&out, "", "  "+t.lang.Say("… and %d more", more))
	}
	return out.String()
}

// noFolder returns the fault for a folder that does not exist: it may be the misspelled name of a research.
func noFolder(dir string) *fault {
	hint := fmt.Sprintf("begin a research with: `daybook run -q \"your question\" %s`", shown(dir))
	if near := spelledLike(dir); near != "" {
		hint = fmt.Sprintf("did you mean %s? A research in %s begins with: `daybook run -q \"your question\" %s`",
			shown(near), shown(dir), shown(dir))
	}
	return wrongUse(hint, "there is no folder %s", dir)
}

// spelledLike returns the research next to a missing folder with the most similar name, or "".
func spelledLike(dir string) string {
	return nearBy(dir, func(dir string) bool { return holdsFiles(dir) && holdsResearch(researchIn(dir)) })
}

// nearBy returns the path next to a missing one that has the most similar name and will do, or the only one
// whose name begins with the missing name, or "".
func nearBy(path string, willDo func(path string) bool) string {
	above, name := filepath.Split(filepath.Clean(path))
	entries, _ := os.ReadDir(cmp.Or(above, ".")) // without entries, none is similar
	var names []string
	for _, e := range entries {
		if willDo(filepath.Join(above, e.Name())) {
			names = append(names, e.Name())
		}
	}
	near := nearest(name, names)
	isOther := func(longer string) bool { return !strings.HasPrefix(strings.ToLower(longer), strings.ToLower(name)) }
	if begun := slices.DeleteFunc(names, isOther); near == "" && len(begun) == 1 {
		near = begun[0]
	}
	if near == "" {
		return ""
	}
	return filepath.Join(above, near)
}

// place decides where the research goes if DIR holds the user's files and no research: into a folder below,
// unless they want it among the files. It returns a note about that for the user.
func (c *runCommand) place(t terminal) (note string, err error) {
	if c.Dir == "" && c.Here {
		c.Dir = "."
	}
	files, taken := personsFiles(c.Dir)
	if c.Dir == "" || len(files) == 0 || holdsResearch(c.Dir) {
		return "", nil
	}
	dir, at := c.Dir, below(c.Dir)
	here, asks := c.Here, !c.Here && !holdsResearch(at) && c.canAsk(t)
	if c.Here && len(taken) > 0 {
		return "", wrongUse(fmt.Sprintf("leave out --here, and it goes into %s", shown(at)),
			"%s has files that a research there would take for its own: %s", dir, few(c.speaks(), taken, ", "))
	}
	if asks {
		here, err = c.askPlace(t, at, files, taken)
	}
	if err != nil || here {
		return "", err
	}
	if c.Dir = at; asks || holdsResearch(at) {
		return "", nil
	}
	say := c.speaks().Say
	note = say("%s has files of its own (%s), so the research goes into %s; --here puts it among them", dir, few(c.speaks(), files, ", "), at)
	if !c.hasDocs() {
		note += say(". They are not read; --docs %s searches them", shown(dir))
	} else if !c.searches(dir) {
		note += say(". They are not read; a --docs of their own searches them, too: --docs %s", shown(dir))
	}
	return clean(note), nil
}

// hasDocs reports whether the user said which documents to search.
func (c *runCommand) hasDocs() bool {
	return len(c.Settings.Docs) > 0 || os.Getenv("DAYBOOK_DOCS") != ""
}

// searches reports whether a folder is among the documents that the user named, or in one.
func (c *runCommand) searches(dir string) bool {
	docs := c.Settings.Docs
	if len(docs) == 0 {
		docs = filepath.SplitList(os.Getenv("DAYBOOK_DOCS"))
	}
	return slices.ContainsFunc(docs, func(path string) bool { _, isIn := within(path, dir); return isIn })
}

// askPlace asks the user where the research goes, and whether it may read the files there.
func (c *runCommand) askPlace(t terminal, at string, files, taken []string) (here bool, err error) {
	say := c.speaks().Say
	read := !c.hasDocs()
	t.note(clean(say("%s has files of its own: %s.", c.Dir, few(c.speaks(), files, ", "))))
	if !read && !c.searches(c.Dir) {
		t.note(say("They are not among the documents; to search them, too, leave with n and give them a --docs of their own: --docs %s", shown(c.Dir)))
	}
	ways := []string{say("Enter  into a new folder, %s", clean(at))}
	if read {
		ways = []string{
			say("Enter  into a new folder, %s; these files are searched as your documents", clean(at)),
			say("w      into the same new folder; only the web is searched, not these files")}
	}
	switch {
	case len(taken) > 0:
	case read:
		ways = append(ways, say("h      here, among these files; only the web is searched, not these files"))
	default:
		ways = append(ways, say("h      here, among these files"))
	}
	ways = append(ways, say("n      nowhere: nothing is begun"))
	question := strings.Join(append([]string{say("Where does the research go?")}, ways...), "\n  ")
	c.placed = true
	for {
		said, err := reply(context.Background(), t, question)
		if err != nil {
			return false, err
		}
		switch said = strings.ToLower(said); {
		case said == "" && read:
			c.Settings.Docs = []string{c.Dir}
			return false, nil
		case said == "", said == "w" && read:
			return false, nil
		case said == "h" && len(taken) == 0:
			return true, nil
		case slices.Contains(refusals, said):
			return false, wrongUse("name a folder that is not there yet", "nothing was begun in %s", c.Dir)
		}
		fmt.Fprintln(t.stderr, say("type one of these letters, or press Enter"))
	}
}

// newFolder returns the name of a folder after the question: one that does not exist yet, or one where this
// question was asked and is not answered. answered is the last folder with an answer.
func newFolder(question string) (dir, answered string, err error) {
	name := cmp.Or(prose.Slug(question), "research")
	if prose.HasHan(name) {
		name = strings.TrimSuffix(clauses.FindString(name), "-")
	}
	for n := 1; ; n++ {
		dir = withNumber(name, n)
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			return dir, answered, nil
		} else if err != nil {
			return "", "", fmt.Errorf("looking for a free name of a folder: %w", err)
		}
		if !isAskedIn(dir, question) {
			continue
		}
		if status, err := researcher.Open(dir).Status(); err == nil && (status.GoesOn() || status.State == account.NotBegun) {
			return dir, answered, nil
		}
		answered = dir
	}
}

// isAskedIn reports whether a folder holds the research of a question, whatever mark it ends with.
func isAskedIn(dir, question string) bool {
	bare := func(text string) string { return strings.TrimRight(strings.TrimSpace(text), "?？.。 ") }
	status, err := researcher.Open(dir).Status()
	return err == nil && bare(status.Question) == bare(question)
}

// clauses matches the first clauses of a Chinese name, which has no spaces to cut at, up to 20 characters.
var clauses = regexp.MustCompile(`^.{1,20}(?:-|$)|^.{20}`)

// folderFault returns why a path is not the folder of a research, or cannot become one.
func folderFault(dir string, hasToBeThere bool) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir() && hasToBeThere:
		return wrongUse("name the folder of a research", "%s is a file, and a research is a folder", dir)
	case err == nil && !info.IsDir():
		return wrongUse("name a folder, or one that is not there yet", "%s is a file, and a research is a folder", dir)
	case errors.Is(err, fs.ErrNotExist) && isThere(dir):
		return wrongUse("make what it leads to, remove the link, or name another folder",
			"%s is a link that leads nowhere", dir)
	case errors.Is(err, fs.ErrNotExist) && hasToBeThere:
		return noFolder(dir)
	}
	return nil
}

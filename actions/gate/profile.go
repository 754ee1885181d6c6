package gate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	workspacetemplate "github.com/daybook-agent/daybook/workspace-template"
	"github.com/goccy/go-yaml"
)

// Profile is the kind of report that is wanted, as read from YAML. A bound of 0 means none.
type Profile struct {
	Name  string `yaml:"-"`
	Words Range  `yaml:"words"` // of the whole report
	// words that answer most questions, twice as many characters in Chinese: advice that no gate enforces
	Enough       int       `yaml:"enough"`
	Asked        int       `yaml:"-" json:",omitempty"` // words that the question itself asks for, in place of Enough
	Abstract     Range     `yaml:"abstract"`            // words
	SectionWords Range     `yaml:"section-words"`       // of each second-level section except the abstract
	Sections     []Section `yaml:"sections"`            // required ones
	Chapters     bool      `yaml:"chapters"`            // whether each chapter of the blueprint has a section
	Conclusion   bool      `yaml:"conclusion"`          // whether there is a conclusion
	// minimum of cited sources; copies of one text count once
	Sources   int `yaml:"sources"`
	Tokens    int `yaml:"tokens"`     // minimum to be spent
	Tables    int `yaml:"tables"`     // minimum
	LineWidth int `yaml:"line-width"` // in characters, to which paragraphs are wrapped
	// minimum of queries for each chapter of the blueprint, one per narrow question; no gate
	MicroQuestions int `yaml:"micro-questions"`
	// how the references are written: as a table or as a list
	References string `yaml:"references" json:",omitempty"`
	// whether an opponent looks for objections to the report before it is done
	Opponent bool `yaml:"opponent"`
	// whether the user must confirm the plan before the work begins
	Costly bool `yaml:"costly"`
	// whether the report may be in another language than the question, since it only quotes
	AnyLanguage bool   `yaml:"-" json:",omitempty"`
	Guide       string `yaml:"guide"` // what the researcher reads about it
}

// Forms of a report's references.
const (
	referenceList  = "list" // a line for each source; the default
	referenceTable = "table"
)

// Tabled reports whether the references are a table.
func (p Profile) Tabled() bool { return p.References == referenceTable }

// For returns the profile for a question, which may itself say how long the answer is to be: no gate then
// asks for more.
func (p Profile) For(question string) Profile {
	if p.Enough > 0 {
		p.Asked = prose.Question(question).Length()
	}
	if n := p.Asked; n > 0 {
		p.Words.Min = min(p.Words.Min, n/2)
		p.Abstract.Min, p.SectionWords.Min = min(p.Abstract.Min, n/5), min(p.SectionWords.Min, n/10)
	}
	return p
}

// Unbounded returns the profile without what only a writer can meet: lengths, reading, spending, language.
func (p Profile) Unbounded() Profile {
	return Profile{
		Name: p.Name, LineWidth: p.LineWidth, References: p.References, Costly: p.Costly, Guide: p.Guide,
		AnyLanguage: true,
	}
}

// Range bounds a number of words, both bounds included.
type Range struct {
	Min int `yaml:"min"`
	Max int `yaml:"max"`
}

// Section is a required part of a report. A slash between blanks separates its names, such as those in
// several languages; a number at the start of a name is enough to recognize it.
type Section struct {
	Title string `yaml:"title"`
	Words int    `yaml:"words"` // minimum
}

// defaultProfile is the profile of a research that names none.
const defaultProfile = "standard"

// errNoProfile is the error for an unknown profile name.
var errNoProfile = errors.New("there is no such profile")

// FindProfile returns the profile with a name: one of the user's own, or brief, standard or exhaustive. A
// user's profile takes missing fields from standard; "" is standard.
func FindProfile(name string, own map[string]map[string]any) (Profile, error) {
	name = cmp.Or(name, defaultProfile)
	fields, isOwn := own[name]
	base := name
	if isOwn {
		base = defaultProfile
	}
	text, err := workspacetemplate.Files.ReadFile("profiles/" + base + ".yaml")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		names, err := profileNames(own)
		return Profile{}, errors.Join(fmt.Errorf("%w as %q; there are %s", errNoProfile,
			name, strings.Join(names, ", ")), err)
	}
	if err != nil {
		return Profile{}, fmt.Errorf("reading the profile %s: %w", base, err)
	}
	p := Profile{Name: name}
	if err := yaml.UnmarshalWithOptions(text, &p, yaml.Strict()); err != nil {
		return Profile{}, fmt.Errorf("reading the profile %s: %w", base, err)
	}
	if isOwn {
		return ownProfile(name, p, fields)
	}
	return p, nil
}

// profileNames returns the names in the template, followed by the user's own.
func profileNames(own map[string]map[string]any) ([]string, error) {
	files, err := fs.Glob(workspacetemplate.Files, "profiles/*.yaml")
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".yaml"))
	}
	return append(names, slices.Sorted(maps.Keys(own))...), err
}

// ownProfile applies a user's fields on top of the standard profile.
func ownProfile(name string, base Profile, fields map[string]any) (Profile, error) {
	text, err := yaml.Marshal(fields)
	if err != nil {
		return Profile{}, fmt.Errorf("reading the profile %s: %w", name, err)
	}
	if err := bounds.YAML(text, &base, yaml.Strict()); err != nil {
		if wrong, ok := errors.AsType[yaml.Error](err); ok { // its line number is not that of the user's file
			err = errors.New(wrong.GetMessage())
		}
		return Profile{}, fmt.Errorf("the profile %s is not right: %w", name, err)
	}
	base.Name = name
	isSet := func(key string) bool { _, ok := fields[key]; return ok }
	for key, wanted := range map[string]*bool{"chapters": &base.Chapters, "conclusion": &base.Conclusion} {
		// the user's guide or sections define the parts instead of standard
		if isSet("guide") || isSet("sections") {
			*wanted = *wanted && isSet(key)
		}
	}
	if (isSet("guide") || isSet("sections") || isSet("words")) && !isSet("enough") {
		base.Enough = 0
	}
	for key, r := range map[string]Range{"words": base.Words, "abstract": base.Abstract,
		"section-words": base.SectionWords} {
		if r.Min < 0 || r.Max < 0 || r.Max > 0 && r.Min > r.Max {
			return Profile{}, fmt.Errorf(
				"the profile %s is not right: %s goes from %d to %d", name, key, r.Min, r.Max)
		}
	}
	for key, n := range map[string]int{"sources": base.Sources, "tokens": base.Tokens, "tables": base.Tables,
		"enough": base.Enough, "line-width": base.LineWidth, "micro-questions": base.MicroQuestions} {
		if n < 0 {
			return Profile{}, fmt.Errorf("the profile %s is not right: %s is %d", name, key, n)
		}
	}
	if form := base.References; form != "" && form != referenceList && form != referenceTable {
		return Profile{}, fmt.Errorf(
			"the profile %s is not right: references is %q; it may be list or table", name, form)
	}
	return base, nil
}

// Parts returns the titles of the required sections, except those that have numbered subsections.
func (p Profile) Parts() []string {
	var titles []string
	for _, s := range p.Sections {
		number, _, _ := strings.Cut(s.Title, " ")
		number = strings.TrimSuffix(number, ".")
		isWhole := func(other Section) bool { return strings.HasPrefix(other.Title, number+".") }
		if !slices.ContainsFunc(p.Sections, isWhole) {
			titles = append(titles, s.Title)
		}
	}
	return titles
}

// Wanted returns the text for the researcher: the guide, how finely to ask, and the minimums of the gates.
func (p Profile) Wanted() string {
	var least []string
	if n := p.Words.Min; n > 0 {
		least = append(least, fmt.Sprintf("%d words", n))
	}
	if n := p.SectionWords.Min; n > 0 {
		least = append(least, fmt.Sprintf("%d words in each section", n))
	}
	if n := p.Sources; n > 0 {
		least = append(least, different(n)+" cited")
	}
	if n := p.Tables; n == 1 {
		least = append(least, "1 table")
	} else if n > 0 {
		least = append(least, fmt.Sprintf("%d tables", n))
	}
	guide := strings.TrimSpace(p.Guide)
	switch {
	case p.Asked > 0:
		guide += fmt.Sprintf(" The question asks for some %d words (in Chinese, characters), code not "+
			"counted: keep to that. What is to be done and what goes wrong comes before background.", p.Asked)
	case p.Enough > 0:
		guide += fmt.Sprintf(" Some %d words are enough for a question in up to %d parts, %d for one in %d, "+
			"and %d for one in more (Chinese: twice as many characters), code not counted. "+
			"No gate holds you to it, but whatever goes beyond has to be worth the reader's time.",
			p.Enough, fewParts, p.EnoughFor(fewParts+1), fewParts+1, p.EnoughFor(fewParts+2))
	}
	if n := p.MicroQuestions; n > 0 {
		guide += fmt.Sprintf("\n\nOpen each chapter of the blueprint into at least %d narrow "+
			"questions that do not overlap, each with a query of its own there; search and read for each.", n)
	}
	if len(least) > 0 {
		guide += "\n\nAt least: " + strings.Join(least, ", ") + "."
	}
	return strings.TrimSpace(guide)
}

// Gates returns the gates of this profile, in order.
func (p Profile) Gates() Sequence {
	gates := Sequence{{"form", form}, {"parts", p.parts}, {"evidence", evidence}, Citations(),
		{"length", p.length}, {"language", language}, {"minimum", p.minimum}}
	return slices.DeleteFunc(gates, func(g Gate) bool { return p.AnyLanguage && g.Name == "language" })
}

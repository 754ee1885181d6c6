package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/bounds"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const (
	// mostStrange is how many strange names are reported.
	mostStrange = 12
	// leastName is the minimum length of a name that is looked up, in letters.
	leastName = 4
	// fewStrange is how many strange names are reported for a sample even if it has fewer known ones. A
	// sample with more is a script of its author's, or for a program that no source is about.
	fewStrange = 2
)

// StrangeNames returns a paragraph for the writer of a text: the settings, functions and commands in its
// samples that appear in no source that was read and in no user document; "" for none. Names in the question
// or in known are not strange.
func (k Kit) StrangeNames(ctx context.Context, turn *agent.Turn, text, known string) (string, error) {
	own := map[string]bool{}
	var all [][]string
	for _, code := range samplesOf(text) {
		all = append(all, namesInCode(code, own))
	}
	known = plainNames(k.Workspace.Asked() + "\n" + known)
	for i, names := range all {
		all[i] = slices.DeleteFunc(names,
			func(name string) bool { return own[name] || holdsName(known, name) })
	}
	all = slices.DeleteFunc(all, func(names []string) bool { return len(names) == 0 })
	if len(all) == 0 {
		return "", nil
	}
	asked, err := json.Marshal(all)
	if err != nil {
		return "", fmt.Errorf("writing the names of samples: %w", err)
	}
	result, err := turn.Nest(ctx, agent.Agent{Name: "samples", Brain: missingNames{k},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.User(string(asked))}, nil
		},
		Limits: agent.Limits{Steps: 1}})
	if err != nil || result.Text == "" {
		return "", err
	}
	return fmt.Sprintf("\n\nNo source read has these names of your samples: `%s`. Search for each, by the "+
		"name in quotation marks or by what it does, and use the name that the sources have; or keep it as "+
		"your own and say so where it stands. Then end again.",
		strings.ReplaceAll(result.Text, "\n", "`, `")), nil
}

// plainNames prepares a text for finding names in it: in lower case, without the backslash that Markdown may
// put before an underscore.
func plainNames(text string) string { return strings.ToLower(strings.ReplaceAll(text, `\`, "")) }

// missingNames is a Brain, made of code only, that keeps the sample names that no source and no user document
// contains. As a Brain its replies are recorded: a replay has no documents, and it replays parallel chapters
// in a different order.
type missingNames struct{ Kit }

// Think implements [agent.Brain].
func (m missingNames) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	var all [][]string
	if err := bounds.JSON([]byte(talk.Messages[0].Text), &all); err != nil {
		return agent.Reply{}, fmt.Errorf("reading the names of samples: %w", err)
	}
	unread := map[string]bool{}
	for _, name := range slices.Concat(all...) {
		unread[name] = true
	}
	for _, s := range m.Workspace.Sources() { // one at a time: there may be a thousand
		if len(unread) == 0 || ctx.Err() != nil {
			break
		}
		if text, _, err := m.Workspace.SourceText(s.ID); err == nil {
			text = plainNames(text)
			maps.DeleteFunc(unread, func(name string, _ bool) bool {
				return holdsName(text, name) || prose.HasOption(text, name) || holdsAnother(text, name)
			})
		}
	}
	var missing []string
	for _, names := range all {
		strange := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !unread[name] })
		if len(strange) > max(fewStrange, len(names)-len(strange)) {
			continue
		}
		for _, name := range strange {
			if len(missing) < mostStrange && !slices.Contains(missing, name) && !m.inDocuments(ctx, name) {
				missing = append(missing, name)
			}
		}
	}
	return agent.Reply{Text: strings.Join(missing, "\n")}, context.Cause(ctx)
}

// inDocuments reports whether a user document has a name, or cannot be searched for it.
func (k Kit) inDocuments(ctx context.Context, name string) bool {
	if k.Documents == nil || k.Search == nil {
		return false
	}
	found, err := k.Search.Search(ctx,
		search.Question{Queries: []string{`"` + name + `"`}, Source: string(search.Own), Limit: 1})
	return err != nil || slices.ContainsFunc(found.Own, func(own search.Finding) bool {
		return slices.ContainsFunc(own.Exact, func(e search.Exact) bool {
			return e.Documents > 0 && (!e.InWords || isPlain(name))
		})
	})
}

// holdsName reports whether a lower-case text has a name; a plain word may be part of another word.
func holdsName(text, name string) bool {
	const inWord = "abcdefghijklmnopqrstuvwxyz0123456789"
	before, behind, found := strings.Cut(text, strings.ToLower(name))
	for ; found; before, behind, found = strings.Cut(behind, strings.ToLower(name)) {
		if isPlain(name) || !strings.ContainsAny(before[max(0, len(before)-1):], inWord) &&
			!strings.ContainsAny(behind[:min(1, len(behind))], inWord) {
			return true
		}
	}
	return false
}

// holdsAnother reports whether a lower-case text has a name with another number in it, as pg1-host for
// pg3-host, or the option that an option turns off, as --archive-async for --no-archive-async.
func holdsAnother(text, name string) bool {
	if option, isNo := strings.CutPrefix(name, "--no-"); isNo && holdsName(text, "--"+option) {
		return true
	}
	if !indexed.MatchString(name) {
		return false
	}
	parts := strings.Split(indexed.ReplaceAllString(strings.ToLower(name), "$1\x00$2"), "\x00")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?:^|[^a-z\d])` + strings.Join(parts, `\d{1,2}`) + `(?:[^a-z\d]|$)`).MatchString(text)
}

// indexed finds the number in a name such as pg3-host or repo2-path.
var indexed = regexp.MustCompile(`([A-Za-z])\d{1,2}([-_.])`)

// isPlain reports whether a name looks like any other word.
func isPlain(name string) bool { return !notPlain.MatchString(name) }

// samplesOf returns the code blocks of a text, without their fences. A script with a #! line is its author's
// own, and left out.
func samplesOf(text string) (all []string) {
	for _, b := range block.Split(text) {
		if b.Kind == block.Code && !b.Goes {
			all = append(all, "")
		}
		if b.Kind == block.Code {
			all[len(all)-1] += fence.ReplaceAllString(b.Text, "") + "\n"
		}
	}
	return slices.DeleteFunc(all,
		func(code string) bool { return strings.HasPrefix(strings.TrimSpace(code), "#!") })
}

var (
	notPlain   = regexp.MustCompile(`[^\pL\d]|\p{Ll}\p{Lu}`)
	fence      = regexp.MustCompile("(?m)^[ \t]*(?:```|~~~).*$")
	codeRemark = regexp.MustCompile(`(?s:/\*.*?\*/)|` +
		`(?m:^[ \t]*(?:#|//|--[ \t]|;|!).*$|[ \t](?:#|//|--|;)[ \t].*$)`)
	// ownPart matches a part of a sample, up to an empty line, with a remark that no source has it.
	ownPart     = regexp.MustCompile(`(?im)(?:^.*\S.*\n)*^.*(?:own knowledge|据自身知识).*(?:\n.*\S.*)*`)
	quotedKey   = regexp.MustCompile(`["']([\w.-]+)["'][ \t]*:`)
	quotedValue = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`)
	codePath    = regexp.MustCompile(`[\w.:~$@-]*/[^\s;,(){}=]*`)
	codeName    = regexp.MustCompile(`(?:--)?[A-Za-z_]\w*(?:(?:[.-]|::|->)\w+)*`)
	// givenName matches names that a sample introduces: by defining them, before a brace, or after $.
	givenName = regexp.MustCompile(`\b(?:def|func|function|fn|class|struct|type|let|var|const|local|export|` +
		`for|import|from|as|set)[ \t]+[$!.]*(\w[\w.-]*)|` +
		`[^\s{;}][ \t]+(\w[\w.-]*)[ \t]*\{|` +
		`(\w[\w-]*)\(\)[ \t]*\{|\$[{!.]*(\w[\w-]*)`)
	// createdTable and created match what an SQL statement creates, declared a name between a word and a
	// value, and labelled the name of a label or macro. The last two are the sample's own if it refers to
	// them elsewhere.
	createdTable = regexp.MustCompile(`(?is)\bcreate\s+(?:\w+\s+){0,2}table\b[^;(]{0,200}\(((?:[^()]|\([^()]*\))*)\)`)
	created      = regexp.MustCompile(`(?i)\bcreate[ \t]+(?:or[ \t]+replace[ \t]+)?` +
		`(?:(?:unique|temp|temporary|unlogged|materialized|constraint|event)[ \t]+)*` +
		`(?:table|index|view|function|procedure|role|user|schema|sequence|type|trigger|policy|publication|` +
		`subscription|database)[ \t]+(?:concurrently[ \t]+)?(?:if[ \t]+not[ \t]+exists[ \t]+)?([\w.]+)`)
	declared = regexp.MustCompile(`(?m)^[ \t]*[a-z]\w*[ \t]+(\w+)[ \t]*=(?:[^=~]|$)`)
	labelled = regexp.MustCompile(`(?m)^[ \t]*(?:(\w+):[ \t]*$|([A-Z][A-Z\d_]+)[ \t]*=)`)
	alias    = regexp.MustCompile(`^[a-z]{1,2}\.`)
	// beforeSetting matches what precedes a name that begins a statement, afterSetting what else, after a
	// name, makes it a setting, a function or a command; alone matches the end of a mere reference.
	beforeSetting = regexp.MustCompile(`(?:^[ \t]*(?:[$>] )?|[;{}|])[ \t]*(?:- )?$`)
	afterSetting  = regexp.MustCompile(`^(?:[ \t]*=(?:[^=~]|$)|:(?:[ \t"]|$)|\(|[ \t]+")`)
	alone         = regexp.MustCompile(`^[ \t]*[;}]`)
	hostOrFile    = regexp.MustCompile(`\.(?:com|net|org|io|dev|example|local|internal|test|arpa|conf|cfg|` +
		`ya?ml|json|toml|ini|txt|log|db|pem|py|go|js|ts|sh|md|html|service|socket|timer)$`)
	// inPlace matches placeholders; in capitals only, so that replace_all is none.
	inPlace = regexp.MustCompile(`^(?:YOUR|REPLACE|PLACEHOLDER|EXAMPLE|XXX)[A-Z\d_]*$|^(?i:change[_-]?me)$`)
	// anywhere lists words of languages, and commands that any machine has.
	anywhere = strings.Fields("alias alter assert async await bool break case catch chmod chown class " +
		"comm const continue create curl date default delete done double drop echo elif else " +
		"enum esac except exit export false final finally find float from func function grant " +
		"grep head import insert install interface journalctl kill lambda local mkdir none " +
		"null openssl package pass print printf private public raise read restart return " +
		"revoke rmdir rsync select self service shift sleep sort source static string struct " +
		"sudo switch systemctl table tail test then this throw touch trap true type uniq " +
		"unset until update void wget when where while with xargs yield")
)

// namesInCode lists the settings, functions and commands of a sample, each once, except those of any machine.
// It adds to own the names that the sample declares or quotes.
func namesInCode(code string, own map[string]bool) (names []string) {
	code = ownPart.ReplaceAllString(code, "")
	code = quotedKey.ReplaceAllString(codeRemark.ReplaceAllString(code, ""), "$1:")
	for _, quoted := range quotedValue.FindAllString(code, -1) {
		for _, word := range codeName.FindAllString(quoted, -1) {
			own[word] = true
		}
	}
	code = codePath.ReplaceAllString(quotedValue.ReplaceAllString(code, `"`), "/")
	for _, given := range givenName.FindAllStringSubmatch(code, -1) {
		own[strings.Join(given[1:], "")] = true
	}
	addMade(code, own)
	for line := range strings.Lines(code) {
		for _, at := range codeName.FindAllStringIndex(line, -1) {
			name, before, behind := line[at[0]:at[1]], line[:at[0]], line[at[1]:]
			first := beforeSetting.MatchString(before) && !strings.Contains(name, ".") &&
				!alone.MatchString(behind)
			if before != "" && strings.ContainsAny(before[len(before)-1:], `$@%!&./\<-"`) ||
				hostOrFile.MatchString(name) || inPlace.MatchString(name) ||
				!first && !strings.HasPrefix(name, "--") && !afterSetting.MatchString(behind) {
				continue
			}
			if strings.HasPrefix(behind, "(") { // what precedes the last dot may be a variable
				name = name[strings.LastIndexAny(name, ".:>")+1:]
			}
			name = alias.ReplaceAllString(name, "")
			if len(prose.Letters(name)) >= leastName && !slices.Contains(names, name) &&
				!slices.Contains(anywhere, strings.ToLower(name)) {
				names = append(names, name)
			}
		}
	}
	return names
}

// addMade adds to own the names that a sample creates: tables with their columns, functions and the like; and
// declared names, labels and macros that it refers to.
func addMade(code string, own map[string]bool) {
	for _, table := range createdTable.FindAllStringSubmatch(code, -1) {
		for _, name := range codeName.FindAllString(table[1], -1) {
			own[name] = true
		}
	}
	for _, found := range created.FindAllStringSubmatch(code, -1) {
		own[found[1]] = true
	}
	named := map[string]int{} // how often after the first word of a line
	for line := range strings.Lines(code) {
		if words := codeName.FindAllString(line, -1); len(words) > 1 {
			for _, word := range words[1:] {
				named[word]++
			}
		}
	}
	for _, found := range declared.FindAllStringSubmatch(code, -1) {
		own[found[1]] = own[found[1]] || named[found[1]] > 1
	}
	for _, found := range labelled.FindAllStringSubmatch(code, -1) {
		name := found[1] + found[2]
		own[name] = own[name] || named[name] > 0
	}
}

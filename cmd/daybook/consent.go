package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/goccy/go-yaml"
)

// A folder, and its daybook.yaml with it, may come from a stranger. A setting of that file that sends
// something to somebody, reads from outside or allows something holds only once the user has agreed to it for
// this folder, or if this program wrote it for them. Settings whose field is tagged `free` need no agreement:
// which of the user's own servers is asked and how, the language, limits that are off by default, how steps
// and searches are used, and bounds of a report. Flags and variables are the user's own.

// want is one thing that a setting of a folder's file would do.
type want struct {
	setting string
	does    string // in plain words, with everything that matters: the user agrees to this
	hidden  string // what must not be shown and has to stay the same, such as a password in an address
}

func (w want) String() string { return w.setting + ": " + w.does }

// id identifies a want in an agreement.
func (w want) id() string { return digest(w.String() + "\n" + w.hidden) }

// wants returns what the settings of a folder's file would do. Whole tells whose key goes to the server.
func (s settings) wants(whole settings) []want {
	var all []want
	for _, field := range fields {
		name, hidden := field.Tag.Get("yaml"), ""
		set := s.given(name)
		switch {
		case set == nil || field.Tag.Get("free") != "":
			continue
		case name == mcpKey:
			all = append(all, s.serverWants()...)
			continue
		case name == "base-url":
			hidden = *s.BaseURL
		}
		for _, does := range s.effects(name, set, whole) {
			all = append(all, want{name, does, hidden})
		}
	}
	return all
}

// effects describes what a setting does, one line for each thing; none if its value allows nothing.
func (s settings) effects(name string, set any, whole settings) []string {
	switch {
	case set == false, set == browserChoice("false"), name == "embed-model" && set == searchNone,
		name == "search" && slices.Equal(s.Search, []string{searchNone}),
		name == "max-steps" && *s.MaxSteps <= researcher.DefaultSteps:
		return nil
	}
	switch name {
	case "docs":
		return texts(s.Docs, func(path string) string {
			return fmt.Sprintf(
				"reads the files in %s and gives the model what fits the question", exact(path))
		})
	case "search":
		return []string{fmt.Sprintf("sends queries to %s", exact(strings.Join(s.Search, ", ")))}
	case "base-url":
		at, keys := address(*s.BaseURL), keysAt(*s.BaseURL, value(whole.Provider, ""))
		return []string{fmt.Sprintf("sends what the model reads to %s, with the key in %s if it is set", at, keys)}
	case "provider":
		return []string{fmt.Sprintf("sends what the model reads to %s", served(*s.Provider))}
	case "max-steps":
		return []string{fmt.Sprintf("lets a run take %d steps, not %d", *s.MaxSteps, researcher.DefaultSteps)}
	case "prices":
		return texts(slices.Sorted(maps.Keys(s.Prices)), func(model string) string {
			p := s.Prices[model]
			return fmt.Sprintf(
				"counts %s as $%g in, $%g cached and $%g out for a million tokens, whatever it costs",
				exact(model), p.In, value(p.Cached, p.In), p.Out)
		})
	case "allow-private":
		return []string{"lets pages on this machine and in your network be read"}
	case "any-url":
		return []string{"lets the model visit addresses that nobody named, and so send out what it read"}
	case "shell":
		return []string{"lets the file agent run command lines that read this folder"}
	case "browser":
		if at := string(*s.Browser); at != "true" {
			return []string{fmt.Sprintf("opens pages in the browser at %s, which runs their scripts", exact(at))}
		}
		return []string{"opens pages in a browser on this machine, which runs their scripts"}
	}
	if model, ok := set.(string); ok && strings.HasSuffix(name, "model") {
		if named, provider := cutProvider(model); provider != "" {
			return []string{fmt.Sprintf("sends what it reads to the model %s of %s", exact(named), served(provider))}
		}
		return []string{fmt.Sprintf("sends what it reads to the model %s of the same server", exact(model))}
	}
	return []string{exact(fmt.Sprint(set))}
}

// exact returns a text from the file, quoted if a terminal would not show it as it is.
func exact(text string) string {
	unseen := func(r rune) bool { return !unicode.IsPrint(r) }
	if clean(text) != text || text == "" || strings.ContainsFunc(text, unseen) {
		return strconv.Quote(text)
	}
	return text
}

// address returns where a base URL leads, with look-alike letters spelled out.
func address(base string) string {
	at := server(strings.TrimSpace(base))
	if quoted := strconv.QuoteToASCII(at); quoted != `"`+at+`"` {
		return quoted
	}
	return at
}

// served describes a provider with its address and the names of its keys.
func served(name string) string {
	p, ok := openai.FindProvider(name)
	if !ok {
		return exact(name)
	}
	at := p.BaseURL
	switch {
	case p.Address != "" && at == "":
		at = fmt.Sprintf("where %s says", p.Address)
	case p.Address != "":
		at = fmt.Sprintf("%s or where %s says", at, p.Address)
	}
	return fmt.Sprintf("%s (%s), with the key in %s if it is set", name, at, keyNames(p))
}

func keyNames(p openai.Provider) string {
	return strings.Join(texts(p.Keys, func(k openai.Key) string { return k.Variable }), " or ")
}

// keysAt names the variables whose key may be sent to an address.
func keysAt(base, provider string) string {
	if p, ok := openai.FindProvider(provider); ok && provider != brainOpenAI {
		return keyNames(p)
	}
	if p, ok := openai.ProviderAt(base); ok && p.Name != brainOpenAI {
		return keyNames(p) + " or " + keyVariable
	}
	return keyVariable
}

// consent asks the user to agree to what a folder's file would do.
type consent struct {
	given bool // by --trust-settings
	asks  bool // somebody can be asked
	out   *os.File
	lang  prose.Language
}

func (c *runCommand) consent(t terminal) consent {
	return consent{c.TrustSettings, c.canAsk(t), t.stderr, c.speaks()}
}

// canAsk reports whether somebody is at the terminal and has not turned questions off.
func (c *runCommand) canAsk(t terminal) bool {
	return !c.NoInput && !c.JSON && isLive(t.stderr) && term.IsTerminal(os.Stdin.Fd())
}

// to returns an error unless the user has agreed, or agrees now, to all that a folder's file would do. It
// does not ask about settings that flags or variables override, until a run without these.
func (c consent) to(dir string, wants []want, given settings) error {
	agreed := agreementOn(dir)
	holds := agreed.holds
	isGiven := func(w want) bool { return given.given(w.setting) != nil }
	fresh := slices.DeleteFunc(slices.Clone(wants), func(w want) bool { return holds(w) || isGiven(w) })
	if !c.given { // --trust-settings agrees to the whole file
		wants = slices.DeleteFunc(wants, func(w want) bool { return !holds(w) && isGiven(w) })
	}
	file := exact(filepath.Join(dir, workspace.SettingsFile))
	switch {
	case dir == "" || len(fresh) == 0 && !c.given:
		return nil
	case len(fresh) == 0: // but the user vouches for the rest of the folder too
	case c.given:
		c.show("agreed, as --trust-settings says: %s", file, wants)
	case !c.asks:
		f := wrongUse("read the file; if you want all of this, add --trust-settings once; otherwise take "+
			"the lines out or use flags",
			"%s has settings that you have not agreed to: %s", file,
			strings.Join(texts(fresh, want.String), "; "))
		if agreed.in == "" {
			f.hint = f.hint + "; " + "a folder that was copied, or moved to another disk, counts as another"
		}
		return f
	default:
		c.show("%s has settings that you have not agreed to:", file, wants)
		c.say("Agree if the folder is your own, also as a copy. Somebody else's could take what these lines name.")
		yes, err := c.yes(context.Background(), "Agree to all of this, for this folder? y or n")
		if err != nil {
			return err
		}
		if !yes {
			return wrongUse("take the lines out or use flags", "you did not agree to the settings in %s", file)
		}
	}
	c.remembered(agreed.to(wants, false).keep())
	return nil
}

// remembered reports it if what the user agreed to could not be saved.
func (c consent) remembered(err error) {
	if err != nil {
		c.say("this is not remembered, and will be asked again: %s", c.lang.Tell(clean(err.Error())))
	}
}

// yes puts a question to the user and reports whether they say yes.
func (c consent) yes(ctx context.Context, question string, with ...any) (bool, error) {
	said, err := reply(ctx, terminal{stderr: c.out}, c.lang.Say(question, with...))
	if err != nil {
		return false, err
	}
	return isYes(said), nil
}

// say writes a line to the user who is asked.
func (c consent) say(english string, with ...any) {
	fmt.Fprintln(c.out, wrap(c.lang.Say(english, with...), widthOf(c.out), "  "))
}

func (c consent) show(title, file string, wants []want) {
	c.say(title, file)
	for _, w := range wants {
		fmt.Fprintln(c.out, wrap(fmt.Sprintf("  %-14s %s", w.setting, c.lang.Tell(w.does)),
			widthOf(c.out), "    "))
	}
}

// agreeToOwn remembers that the settings this program is about to write are the user's own.
func agreeToOwn(dir string, config researcher.Config) error {
	written := maps.Clone(config.Settings)
	if len(config.Docs) > 0 {
		written["docs"] = config.Docs
	}
	text, err := yaml.Marshal(written)
	if err != nil {
		return fmt.Errorf("encoding the settings: %w", err)
	}
	var own settings
	err = yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&own)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the settings: %w", err)
	}
	if err := absolute(own.Docs, dir); err != nil {
		return err
	}
	resolve(own.Docs)
	return agreementOn(dir).to(own.wants(own), config.Strange).keep()
}

// resolve follows the links in paths. Network paths stay: a look-up tells the other machine who looks.
func resolve(paths []string) {
	for i, path := range paths {
		if strings.HasPrefix(filepath.VolumeName(path), `\\`) {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			paths[i] = real
		}
	}
}

// Command daybook researches a question on its own and keeps everything it knows in a folder of Markdown.
//
//	daybook "How does SQLite make a commit durable?" --docs notes     # in a new folder
//	daybook run -q "How does SQLite make a commit durable?" --docs notes my-research
//	daybook run my-research      # goes on from there
//	daybook status my-research
//	daybook log my-research      # what happened; --at 7 shows the dashboards as they were
//	daybook restore my-research --at 7
//	daybook replay my-research   # again from its record, and compared
//	daybook verify my-research   # checks by code what the report cites
//	daybook export my-research --html
//	daybook doctor my-research   # tries the model, the search and the folder
//
// The package is the command line alone: it reads the settings, wires the packages together, and shows on a
// terminal what they do. stdout carries the path of the report (with --json, the events) and stderr
// everything else. It does no research itself, and never prints a key.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/daybook-agent/daybook/agent/prose"
)

// The exit statuses.
const (
	exitFinished    = 0
	exitError       = 1
	exitUsage       = 2
	exitLimit       = 3   // stopped at one, with the work saved
	exitUnsound     = 4   // the report does not pass its checks
	exitInterrupted = 130 // 128 and SIGINT, as shells have it
)

func main() {
	log.SetOutput(io.Discard) // net/http logs there what a server sent unasked, which no terminal should show
	os.Exit(run(os.Args[1:], terminal{stdout: os.Stdout, stderr: os.Stderr}))
}

// terminal is the pair of streams that a command writes to.
type terminal struct {
	stdout, stderr *os.File
}

// run carries out a command line, reports any error, and returns the exit status.
func run(args []string, term terminal) int {
	lang, err := carryOut(args, term)
	if err == nil {
		return exitFinished
	}
	f := diagnose(err)
	term.note("daybook: " + filledIn(lang, lang.Tell(clean(f.Error()))))
	fmt.Fprint(term.stderr, teller{lang, widthOf(term.stderr)}.researches(f.below, 5))
	if f.hint != "" {
		term.note(lang.Say("hint: ") + lang.Tell(clean(f.hint)))
	}
	return f.code
}

// carryOut carries out a command line, and also returns the language for its error.
func carryOut(args []string, term terminal) (prose.Language, error) {
	lang, unspoken := languageOfArgs(args)
	if slices.Contains(args, "-h") || slices.Contains(args, "--help") {
		args = unspoken
	}
	parser, err := newParser(lang, term)
	if err = cmp.Or(err, unsetEmpty()); err != nil {
		return lang, err
	}
	args = requoted(args)
	if err := cmp.Or(misdashed(args), misspelt(args, parser.Model), commandLike(args, parser.Model), torn(args, parser.Model)); err != nil {
		return lang, err
	}
	args = joined(withCommand(args, parser.Model, term))
	command, err := parser.Parse(args)
	if err != nil {
		if asked := misasked(args, parser.Model); asked != nil {
			return lang, asked
		}
		return lang, wrongUse(helpHint(err, args), "%s", plainly(err, args[0]))
	}
	err = command.Run(term)
	if f, ok := errors.AsType[*fault](err); ok && len(f.below) > 0 {
		f.hint = fmt.Sprintf("name one of them: `daybook %s`", f.naming(args))
	}
	if to, ok := command.Selected().Target.Addr().Interface().(speaker); ok && err != nil {
		lang = to.speaks()
	}
	return lang, err
}

// requoted joins the words of a question in quotation marks that no shell knows, such as those of a Chinese
// keyboard.
func requoted(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		for _, marks := range [][2]string{{"“", "”"}, {"”", "”"}, {"「", "」"}, {"‘", "’"}} {
			isLast := func(arg string) bool { return strings.HasSuffix(arg, marks[1]) }
			if n := slices.IndexFunc(args[i:], isLast); n >= 0 && strings.HasPrefix(args[i], marks[0]) {
				said := strings.Join(args[i:i+n+1], " ")
				args[i+n] = strings.TrimSuffix(strings.TrimPrefix(said, marks[0]), marks[1])
				i += n
				break
			}
		}
		out = append(out, args[i])
	}
	return out
}

func newParser(lang prose.Language, term terminal) (*kong.Kong, error) {
	help := func(_ kong.HelpOptions, ctx *kong.Context) error {
		_, err := fmt.Fprint(ctx.Stdout, teller{lang: lang, width: 80}.help(ctx.Selected(), ctx.Model.Node))
		return err
	}
	parser, err := kong.New(&cli{}, kong.Name("daybook"), kong.Description(description), kong.Help(help),
		kong.Vars{"version": version(), "model": defaultModel, "providers": providerNames()}, kong.Writers(term.stdout, term.stderr))
	if err != nil {
		return nil, fmt.Errorf("preparing the command line: %w", err)
	}
	return parser, nil
}

// plainly rewords a parser error about a command for users who do not know the parser.
func plainly(err error, command string) string {
	text := strings.Replace(err.Error(), `"","zh"`, `"zh"`, 1)
	if command == "export" && strings.HasSuffix(text, " --word") { // no flag is similar to it
		return fmt.Sprintf("%s, did you mean %s?", text, `"--docx"`)
	}
	for plain, parser := range map[string]string{
		"%s needs a value":                `(?m)^(\S+): (?:expected \S+ value but got "EOL" \(<EOL>\)|missing value, expecting "<arg>[^"]*")`,
		"%s needs a whole number, not %s": `(?m)^(\S+): expected an? (?:valid \d+ bit )?int but got ("(?:[^"\\]|\\.)*")(?: \(\w+\))?`,
		"%s needs a number, not %s":       `(?m)^(\S+): expected a float but got ("(?:[^"\\]|\\.)*")(?: \(\w+\))?`,
	} {
		if m := regexp.MustCompile(parser).FindStringSubmatch(text); m != nil {
			named := strings.Replace(plain, "%s", m[1], 1)
			return strings.Replace(named, "%s", m[len(m)-1], 1) + text[len(m[0]):]
		}
	}
	return text
}

// helpHint returns where to find the flags and arguments, one of which was wrong.
func helpHint(err error, args []string) string {
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if !ok || wrong.Context.Selected() == nil {
		return "daybook -h shows the commands and their flags"
	}
	flags := texts(wrong.Context.Flags(), func(f *kong.Flag) string { return "-" + f.Name })
	isFlag := func(arg string) bool { // with one dash: -html is read as -h, -t, …
		name, _, _ := strings.Cut(arg, "=")
		return slices.Contains(flags, name)
	}
	switch i := slices.IndexFunc(args, isFlag); {
	case i >= 0:
		return fmt.Sprintf("a long flag has two dashes: `%s`", "-"+args[i])
	case wrong.Context.Selected().Name == "run" && strings.HasPrefix(err.Error(), "unexpected argument"):
		return "put a question in quotation marks, and name one folder: " +
			"`daybook run -q \"your question\" my-research`"
	}
	return fmt.Sprintf("`daybook %s -h` shows its arguments and flags", wrong.Context.Selected().Name)
}

// joined returns a command line as the parser takes it: a negative number is joined to its flag, since it
// would look like a flag itself, and so is a value after -q= or -o=.
func joined(args []string) (out []string) {
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		for short, long := range map[string]string{"-q=": "--question=", "-o=": "--output="} {
			if said, ok := strings.CutPrefix(arg, short); ok {
				arg = long + said
			}
		}
		isFlag := i > 0 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=")
		if n, err := strconv.ParseFloat(arg, 64); isFlag && err == nil && n < 0 {
			out[len(out)-1] += "=" + arg
		} else {
			out = append(out, arg)
		}
	}
	return out
}

// errInterrupted is the cause with which a run's context ends after Ctrl-C.
var errInterrupted = errors.New("interrupted")

// interruptible returns a context that Ctrl-C or SIGTERM ends, after first; a second one exits, after last.
func interruptible(first, last func()) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		n := 0
		for range signals {
			if n++; n > 1 {
				last()
				os.Exit(exitInterrupted)
			}
			first()
			cancel(errInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals) // nothing is sent from here on
		close(signals)
		cancel(nil)
	}
}

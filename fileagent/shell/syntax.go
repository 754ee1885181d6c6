package shell

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// null is the only target for output; it is not opened.
const null = "/dev/null"

// parse parses a line and refuses everything not listed here: only what is known to be harmless runs.
func parse(line string) (*syntax.File, error) {
	if len(line) > maxLine {
		return nil, fmt.Errorf("the command has %d bytes and may have %d", len(line), maxLine)
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, fmt.Errorf("reading the command: %w", err)
	}
	if len(file.Stmts) == 0 {
		return nil, refuse("there is no command")
	}
	stages := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		if _, isCall := n.(*syntax.CallExpr); isCall {
			stages++
		}
		if err == nil && stages > maxStages {
			err = refuse("there are more than %d commands on the line", maxStages)
		} else if err == nil {
			err = check(n)
		}
		return err == nil
	})
	return file, err
}

// refuse returns an error with the rule that a line broke, and what is allowed.
func refuse(format string, args ...any) error {
	return fmt.Errorf("%s. Allowed are %s, with quotes, globs such as *.md, |, &&, ||, ;, < FILE, 2>&1 and "+
		"> /dev/null; paths are relative to the workspace, and files are only read",
		fmt.Sprintf(format, args...), strings.Join(commandNames(), " "))
}

// check refuses a part of a line that is not allowed, whatever is inside it.
func check(n syntax.Node) error {
	switch n := n.(type) {
	case nil, *syntax.File, *syntax.Comment, *syntax.Lit: // the word around a literal checks it
	case *syntax.Stmt:
		switch {
		case n.Background || n.Coprocess || n.Disown:
			return refuse("background jobs are not available")
		case n.Cmd == nil:
			return refuse("a redirection needs a command")
		}
	case *syntax.BinaryCmd:
		if !slices.Contains([]syntax.BinCmdOperator{syntax.AndStmt, syntax.OrStmt, syntax.Pipe,
			syntax.PipeAll}, n.Op) {
			return refuse("%s is not available", n.Op)
		}
	case *syntax.CallExpr:
		return checkCall(n)
	case *syntax.Redirect:
		return checkRedirect(n)
	case *syntax.Word:
		return checkWord(n)
	case *syntax.SglQuoted:
		if n.Dollar {
			return refuse("$'…' is not available")
		}
	case *syntax.DblQuoted:
		if n.Dollar {
			return refuse(`$"…" is not available`)
		}
	case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
		return refuse("variables and substitutions are not available; put a text that holds $ or ` in " +
			"single quotes")
	case *syntax.ProcSubst:
		return refuse("process substitution is not available")
	case *syntax.ExtGlob:
		return refuse("extended globs are not available; * ? and […] are")
	default:
		return refuse("%s not available", construct(n))
	}
	return nil
}

// construct names what a model wrote, in its words.
func construct(n syntax.Node) string {
	switch n.(type) {
	case *syntax.Subshell, *syntax.Block:
		return "subshells and groups are"
	case *syntax.ForClause, *syntax.WhileClause:
		return "loops are"
	case *syntax.IfClause, *syntax.CaseClause, *syntax.TestClause:
		return "conditions are"
	case *syntax.FuncDecl:
		return "functions are"
	case *syntax.ArithmCmd, *syntax.LetClause:
		return "arithmetic is"
	case *syntax.DeclClause:
		return "variables are"
	}
	return "this construct is"
}

func checkCall(c *syntax.CallExpr) error {
	if len(c.Assigns) > 0 || len(c.Args) == 0 {
		return refuse("variables are not available")
	}
	switch name := c.Args[0].Lit(); {
	case name == "":
		return refuse("the command must be named plainly, without quotes")
	case !slices.Contains(commandNames(), name):
		return refuse("there is no command %q here", name)
	}
	return nil
}

// maxWild bounds the wildcards of a glob: matching names does not check the time.
const maxWild = 12

// checkWord checks what a word holds outside quotes.
func checkWord(w *syntax.Word) error {
	bare := ""
	for i, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			bare += lit.Value
			if i == 0 && strings.HasPrefix(lit.Value, "~") {
				return refuse("~ is not available")
			}
			if brace.MatchString(lit.Value) {
				return refuse("an unquoted { is not available; put a pattern in quotes")
			}
		}
	}
	if strings.Count(bare, "*")+strings.Count(bare, "?")+strings.Count(bare, "[") > maxWild {
		return refuse("a glob may have %d of * ? and [; put a pattern in quotes", maxWild)
	}
	return nil
}

// brace finds an unquoted, unescaped brace.
var brace = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\{`)

// checkRedirect allows input from a file, and output to nowhere. The target must be plain from the line: the
// interpreter itself opens some names, such as its own pipes among the temporary files, and these are all
// absolute.
func checkRedirect(r *syntax.Redirect) error {
	if r.N != nil && !slices.Contains([]string{"0", "1", "2"}, r.N.Value) {
		return refuse("only the descriptors 0, 1 and 2 can be redirected")
	}
	target, plain := plainText(r.Word)
	switch r.Op {
	case syntax.RdrIn:
		switch {
		case !plain:
			return refuse("the file after < must be named plainly, without globs and backslashes")
		case target != null && (strings.HasPrefix(target, "/") || filepath.IsAbs(target)):
			return refuse("%s is not relative to the workspace", target)
		}
		return nil
	case syntax.DplOut:
		if plain && (target == "1" || target == "2") {
			return nil
		}
		return refuse("of >& there are only 2>&1 and 1>&2")
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll:
		if plain && target == null {
			return nil
		}
		return refuse(
			"writing is not available: output can go to /dev/null alone; files are written with write_file")
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return refuse("here-documents are not available")
	}
	return refuse("the redirection %s is not available", r.Op)
}

// plainText returns the text of a word that no expansion can change.
func plainText(w *syntax.Word) (text string, plain bool) {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, `\*?[]{}~`) {
				return "", false
			}
			text += p.Value
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			text += p.Value
		default:
			return "", false
		}
	}
	return text, text != ""
}

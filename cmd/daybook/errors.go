package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/openai"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/history"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// fault is an error in the words that the user sees on stderr: lower case, no full stop.
type fault struct {
	error
	hint    string
	code    int
	setting string           // the one that is wrong, if one is
	dir     string           // the folder without a research
	below   []account.Status // the researches below it
}

func (f *fault) Unwrap() error { return f.error }

// wrongUse returns a fault of the command line, the environment or the settings.
func wrongUse(hint, format string, with ...any) *fault {
	return faultOf(exitUsage, hint, format, with...)
}

func faultOf(code int, hint, format string, with ...any) *fault {
	return &fault{error: fmt.Errorf(format, with...), hint: hint, code: code}
}

// wrongSetting returns a fault of a setting, wherever it was given.
func wrongSetting(name, hint, format string, with ...any) *fault {
	f := wrongUse(hint, format, with...)
	f.setting = name
	return f
}

func diagnose(err error) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	f := &fault{error: err, code: exitError}
	switch {
	case errors.Is(err, errInterrupted):
		f.code = exitInterrupted
	case errors.Is(err, store.ErrOutside):
		f.hint = "put the file or folder itself there, in place of the link"
	}
	return f
}

// explain returns the fault for an error of a research, or of looking at one.
func explain(err error, dir string) *fault {
	f := diagnose(err)
	switch {
	case f.hint != "":
	case errors.Is(err, errInterrupted):
		f.error = fmt.Errorf("%w; nothing was begun", errInterrupted)
		if isBegun(dir) {
			f.error, f.hint = fmt.Errorf("%w; what was done is saved", errInterrupted), goOn(dir)
		}
	case errors.Is(err, researcher.ErrNoQuestion):
		f.code, f.hint = exitUsage, fmt.Sprintf("begin one with: `daybook run -q \"your question\" %s`", shown(dir))
	case errors.Is(err, researcher.ErrNoDocuments):
		f.code, f.hint = exitUsage, "give --docs a folder or file with text in it, or say --search all"
	case errors.Is(err, researcher.ErrDeclined):
		f.code, f.hint = exitUsage, fmt.Sprintf("see the plan again: `daybook run %s --plan`", shown(dir))
	case errors.Is(err, researcher.ErrCannotDo):
		f.code, f.hint = exitUsage, fmt.Sprintf("ask another question: `daybook run -q \"your question\" %s`", shown(dir))
	case errors.Is(err, researcher.ErrOtherQuestion):
		f.code, f.hint = exitUsage, goOn(dir)
	case errors.Is(err, researcher.ErrNotFinished):
		f.code, f.hint = exitUsage, fmt.Sprintf("leave out --refresh: %s", goOn(dir))
	case errors.Is(err, history.ErrNoJournal):
		f.hint = fmt.Sprintf("nothing is on record of what was done here; see how it stands with: `daybook status %s`", shown(dir))
	case errors.Is(err, history.ErrNoStep), errors.Is(err, history.ErrNotOnRecord):
		f.hint = fmt.Sprintf("see the steps and what was written in them with: `daybook log %s`", shown(dir))
	case errors.Is(err, store.ErrLocked):
		f.hint = fmt.Sprintf("see how it stands with: `daybook status %s`", shown(dir))
	case errors.Is(err, researcher.ErrDashboards):
		f.hint = fmt.Sprintf("put it right in an editor, then: `daybook run %s`", shown(dir))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		f.hint = "make the folder writable, or name another one behind the question"
		// the model sees this error too
		f.error = fmt.Errorf("no run can work in %s: %s", dir, strings.TrimSuffix(err.Error(), "; "+f.hint))
	case errors.Is(err, syscall.ENOTDIR):
		f.hint = "a part of the path is a file; choose another folder"
	case errors.Is(err, syscall.ENOSPC):
		f.hint = fmt.Sprintf("make room on the disk; %s", goOn(dir))
	default:
		f.hint = goOn(dir)
		if hint := serverHint(err); hint != "" {
			f.hint = hint + "; " + f.hint
		}
	}
	if refused, ok := errors.AsType[*openai.Error](err); ok {
		f.error = refused // what was asked of the model, and by whom, is nothing that the user can fix
	}
	return f
}

// serverHint returns what to do about a server that refuses or does not answer, or "".
func serverHint(err error) string {
	refused, ok := errors.AsType[*openai.Error](err)
	switch {
	case !ok:
		return ""
	case refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden:
		return keyHint(refused.Server, refused.Key)
	case refused.Status == http.StatusNotFound:
		return "set --model to one that the server has, and --base-url to its address, which usually ends in /v1"
	case refused.Status == 0 && refused.Class == openai.Wait:
		return "start the server or set --base-url to where it is (--brain clip needs none)"
	}
	return ""
}

// keyHint returns how to match key and server. A service with several regions has keys for each.
func keyHint(server, variable string) string {
	hint := fmt.Sprintf("set %s to a key of that server, and --base-url to the server of that key", variable)
	p, ok := openai.ProviderAt(server)
	if !ok || len(p.Regions) == 0 {
		return hint
	}
	elsewhere := slices.DeleteFunc(append([]string{p.BaseURL}, p.Regions...), func(at string) bool { return at == server })
	return fmt.Sprintf("%s: it may be %s", hint, strings.Join(elsewhere, ", "))
}

// refusal returns a gate's refusal with the first fault it names. The report tells what to do about it.
func refusal(lang prose.Language, text string) string {
	what, _, _ := strings.Cut(lang.Tell(firstLine(text)), lang.Say(". "))
	what = strings.TrimRight(what, ".:。：")
	if _, faults, ok := strings.Cut(text, "\n- "); ok {
		what += lang.Say(": ") + lang.Tell(firstLine(faults))
	}
	return what
}

// unsound returns the fault for a run whose final report does not pass its checks.
func unsound(result researcher.Result, dir string, lang prose.Language, alone bool) *fault {
	failed := texts(result.Unsound, func(why gate.Refusal) string {
		return lang.Say(why.Gate) + lang.Say(": ") + refusal(lang, why.Text)
	})
	why := "not sound: the report does not pass its checks, and every try to mend it failed: %s"
	if edited, _ := leftAlone(dir, "", lang); alone && edited != "" {
		why = "not sound: the report does not pass its checks; it is as you edited it, and nothing in it was mended: %s"
	}
	return faultOf(exitUnsound, mending(dir, alone), why, strings.Join(failed, lang.Say("; ")))
}

// mending returns what to do about a report that fails its checks. Without a model nobody follows notes.
func mending(dir string, alone bool) string {
	report := filepath.Join(shown(dir), workspace.ReportFile)
	if alone {
		return fmt.Sprintf("mend %s by hand, then %s", report, goOn(dir))
	}
	return fmt.Sprintf("mend %s by hand, or write what it should do into the notes of %s, then %s", report, workspace.CurrentFile, goOn(dir))
}

// unmended returns the fault for a refresh whose report still says what its sources no longer say.
func unmended(result researcher.Result, dir string, lang prose.Language) *fault {
	report := filepath.Join(shown(dir), workspace.ReportFile)
	hint := fmt.Sprintf("mend %s by hand; the newest result-changes in Sources/ has each passage before and now", report)
	return faultOf(exitUnsound, hint, "not mended: %s still cites passages that changed or are gone: %s", report,
		teller{lang: lang}.places(result.Unmended))
}

// unfinished returns the fault for a run that ended without an error and without a report.
func unfinished(result researcher.Result, limits settings, dir string, alone bool) *fault {
	goOn := goOn(dir)
	switch result.Reason {
	case agent.OutOfSteps:
		return faultOf(exitLimit, fmt.Sprintf("%s; --max-steps allows more at once", goOn),
			"stopped at the limit of %d steps with the work saved",
			value(limits.MaxSteps, researcher.DefaultSteps))
	case agent.OutOfTokens:
		return faultOf(exitLimit, fmt.Sprintf("with a higher --max-tokens, %s", goOn),
			"stopped at the limit of %d tokens with the work saved", value(limits.MaxTokens, 0))
	case agent.OutOfMoney:
		return faultOf(exitLimit, fmt.Sprintf("%s, with as much money again", goOn),
			"stopped at the limit of money with the work saved")
	case agent.OutOfTime:
		return faultOf(exitLimit, fmt.Sprintf("%s, with as much time again", goOn),
			"stopped at the limit of running time with the work saved")
	}
	hint := fmt.Sprintf("write what it should do into the notes of %s, or take another model, "+
		"for which see `daybook doctor %s`; then %s",
		workspace.CurrentFile, shown(dir), goOn)
	if alone {
		hint = fmt.Sprintf("change the question or the chapters in %s, or give it a model, "+
			"for which see `daybook doctor %s`; then %s",
			workspace.OverallFile, shown(dir), goOn)
	}
	return faultOf(exitLimit, hint, "stopped with the work saved: %s", lost(result))
}

// lost describes how a brain got nowhere.
func lost(result researcher.Result) string {
	how := cmp.Or(map[agent.Reason]string{agent.Looping: "the brain goes in circles", agent.Idle: "the brain gets no further"}[result.Reason],
		"the brain is stuck and gets nothing done")
	return strings.TrimSuffix(how+": "+result.Text, ": ")
}

// goOn returns how to go on with a research, or how to begin one if there is none yet.
func goOn(dir string) string {
	if !isBegun(dir) {
		return fmt.Sprintf("nothing was begun yet, and `daybook run -q \"your question\" %s` begins it", shown(dir))
	}
	return fmt.Sprintf("`daybook run %s` goes on from what stands there", shown(dir))
}

// isBegun reports whether a folder has a dashboard.
func isBegun(dir string) bool {
	isPart := func(name string) bool { return isThere(filepath.Join(dir, name)) }
	return isPart(workspace.OverallFile) || isPart(workspace.CurrentFile)
}

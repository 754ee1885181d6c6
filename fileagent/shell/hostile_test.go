package shell_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/fileagent/shell"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile are lines that want out: to read a file that stands at an absolute path, to write, to run something, or never to end.
func hostile(canary string) []string {
	folder, file := filepath.Split(canary)
	folder = strings.TrimSuffix(folder, "/")
	up := "../" + filepath.Base(folder) + "/" + file
	var lines []string
	for _, line := range []string{
		// paths
		"cat CANARY", "cat UP", "cat Notebook/../UP", "cat ./././UP", `cat \CANARY`, "cat 'CANARY'", "cat file://CANARY", "cat -n CANARY",
		"head CANARY", "tail -n +1 CANARY", "wc CANARY", "sort CANARY", "uniq CANARY", "cut -c1- CANARY", "grep '' CANARY", "sed -n p CANARY", "diff CANARY report.md",
		"diff report.md UP", "ls FOLDER", "ls ..", "ls /", "find FOLDER", "find / -name FILE", "find .. -type f", "grep -r canary FOLDER", "grep -r canary ..",
		"grep -r canary /", "cat < CANARY", "cat < UP", "cat 0< CANARY", "cat <> CANARY", "cat <& 3", "cat /etc/passwd", "cat /proc/self/environ", "cat /dev/stdin", "cat /proc/1/root/CANARY",
		"cat ~/.bashrc", "cat ~root/.profile", "cat -- CANARY", "cat ''", "cat $'\\x2fetc/passwd'",
		// links, pipes and devices that stand in the workspace
		"cat Notebook/link.md", "cat < Notebook/link.md", "cat Notebook/out/FILE", "cat Notebook/out/*", "ls Notebook/out/", "grep -r canary Notebook", "grep -R canary Notebook",
		"find Notebook -name FILE", "find Notebook/out/ -type f", "cat Notebook/*", "cat Notebook/*/*", "head -n 1 Notebook/fifo", "cat Notebook/zero", "cat < Notebook/fifo",
		// what is hidden
		"cat .env", "cat .daybook/journal.jsonl", "cat .*", "cat .*/*", "cat .[d]aybook/*", "cat Notebook/../.env", "grep -r canary .daybook", "grep canary .e*", "find .daybook", "ls -la .daybook", "ls -A .daybook/", "cat < .env",
		// globs out
		"cat /*/*", "cat ../*/*", "cat ../outside/*", "cat FOLDER/*", "ls /et?", "cat ../outsid[e]/FILE", "cat Notebook/../../outside/*",
		// options that read, write or run
		"sort -o Notebook/evil.md report.md", "sort -oNotebook/evil.md report.md", "sort --output=../evil.md report.md", "sort --compress-program=sh report.md", "sort --files0-from=CANARY", "sort -T FOLDER report.md",
		"wc --files0-from=CANARY", "grep -f CANARY report.md", "grep -fCANARY report.md", "grep --file=CANARY '' report.md", "grep -r --exclude-from=CANARY x", "diff --from-file=CANARY report.md", "diff -r . FOLDER",
		"uniq report.md Notebook/evil.md", "tail -f report.md", "tail --follow=name report.md", "tail --pid=1 -f report.md",
		"sed -n 'w Notebook/evil.md' report.md", "sed -n '1e cat CANARY' report.md", "sed -n 'r CANARY' report.md", "sed -n 'R CANARY' report.md", "sed -n 's/.*/cat CANARY/e' report.md", "sed -n 's/a/b/w Notebook/evil.md' report.md",
		"sed -i 's/a/b/' report.md", "sed -n -i p report.md", "sed --in-place -n p report.md", "sed -n -f CANARY report.md", "sed '' CANARY", "sed -n '1!{p}' report.md", "sed -ne 'W Notebook/evil.md' report.md", "sed --expression=p -s CANARY",
		`find . -exec cat CANARY \;`, "find . -execdir sh {} +", "find . -ok cat {} +", "find . -delete", "find . -fprint Notebook/evil.md", "find . -fprintf Notebook/evil.md x", "find . -fls Notebook/evil.md", "find -files0-from CANARY", "find . -newer CANARY", "find -L Notebook -name FILE", "find . -printf %p", "find . -ls",
		// writing
		"cat report.md > Notebook/evil.md", "cat report.md >> report.md", "cat report.md >| Notebook/evil.md", "cat report.md &> Notebook/evil.md", "cat report.md >& Notebook/evil.md", "cat gone 2> Notebook/evil.md",
		"> Notebook/evil.md", "cat report.md > ../evil.md", "cat report.md > CANARY", "cat report.md 3> Notebook/evil.md", "cat report.md {fd}> Notebook/evil.md", "cat report.md > /dev/../Notebook/evil.md", "cat report.md > '/dev/tcp/127.0.0.1/9'", "cat < /dev/tcp/127.0.0.1/9", "cat report.md > /dev/nul*", "tee Notebook/evil.md < report.md",
		"cat < TMP/sh-interp-canary", "cat report.md > TMP/sh-interp-evil", `cat < \TMP/sh-interp-canary`, "cat < 'TMP'/sh-interp-canary",
		// other programs
		"curl http://127.0.0.1:9/", "wget http://127.0.0.1:9/", "/bin/cat CANARY", "./cat CANARY", "../../../../bin/cat CANARY", "bash -c 'cat CANARY'", "sh", "env cat CANARY", "xargs cat", "find . | xargs cat CANARY", "awk 'BEGIN{system(\"cat CANARY\")}'", "perl -e 1", "python3 -c 1", "nc 127.0.0.1 9",
		"busybox cat CANARY", "rm report.md", "mv report.md x", "cp CANARY x", "ln -s CANARY x", "mkdir x", "touch x", "chmod 777 report.md", "dd if=CANARY", "git log", "'cat' CANARY", `c\at CANARY`, `"cat" CANARY`, "ca''t CANARY", "CAT CANARY",
		// the shell's own
		"exec cat CANARY", "eval 'cat CANARY'", "source CANARY", ". CANARY", "command cat CANARY", "builtin source CANARY", "cd ..; cat outside/FILE", "cd / && cat CANARY", "pushd /", "trap 'cat CANARY' EXIT", "alias cat='cat CANARY'", "set -x", "shopt -s dotglob; cat *", "export PATH=/bin", "read x < CANARY",
		"mapfile x < CANARY", "test -f CANARY", "[ -f CANARY ]", "[[ -f CANARY ]]", "type cat", "printf %1000000000d 1", "echo *", "echo $PATH", "exit 0", "wait", "kill 1", "ulimit", "umask 0", "enable -f x", "history", "let x=1", "declare x=1", "local x=1", "time cat report.md", "true", ":", "hash -p /bin/sh cat",
		// expansions
		"PATH=/bin cat CANARY", "LD_PRELOAD=CANARY cat report.md", "GREP_OPTIONS=-r grep canary", "x=CANARY; cat $x", "x=1", "cat $HOME/x", "cat ${x:-CANARY}", `cat "$(cat CANARY)"`, "cat $(cat CANARY)", "cat $(<CANARY)", "cat `cat CANARY`", "cat \"`cat CANARY`\"", "cat <(cat CANARY)", "cat report.md >(cat)", "cat $((1+1))", "grep $RANDOM report.md",
		"cat {CANARY,report.md}", "cat {1..999999999}", "cat report.md{,}{,}{,}{,}{,}{,}{,}{,}", "cat @(CANARY)", "cat !(x)", "cat ?(UP)", `cat "${x}"`, "grep \"$'\" report.md", "$x CANARY", "$(cat CANARY)", "c?t CANARY", "cat $'CANARY'", `cat $"CANARY"`,
		// other constructs
		"cat CANARY &", "cat report.md & cat CANARY", "(cat CANARY)", "{ cat CANARY; }", "cat report.md | (cat CANARY)", "if cat CANARY; then cat CANARY; fi", "while true; do cat report.md; done", "until false; do :; done", "for f in CANARY; do cat $f; done", "for ((;;)); do :; done", "case x in x) cat CANARY;; esac",
		"f() { cat CANARY; }; f", "function cat { cat CANARY; }", ":(){ :|:& };:", "coproc cat CANARY", "select x in a; do cat CANARY; done", "((x=1))", "cat << EOF\n$(cat CANARY)\nEOF", "cat <<- EOF\n\tx\n\tEOF", "cat <<< CANARY", "cat <<< $(cat CANARY)", "cat report.md |& cat CANARY", "! cat CANARY", "cat report.md || cat CANARY", "cat report.md; cat CANARY", "cat report.md\ncat CANARY", "cat report.md # \ncat CANARY",
		"", "   ", "# only words", "|", "cat |", "cat 'report.md", "cat \x00", "cat \xff\xfe", "cat \\", "((((((((", strings.Repeat("(", 4000), strings.Repeat("! ", 2000) + "ls",
	} {
		line = strings.NewReplacer("CANARY", canary, "UP", up, "FOLDER", folder, "FILE", file, "TMP", strings.TrimSuffix(os.TempDir(), "/")).Replace(line)
		lines = append(lines, line)
	}
	return lines
}

// trap is a workspace with ways out of it, and beside it a folder whose file must not be read.
func trap(t *testing.T) (dir, canary string, folder shell.Folder) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	dir, folder = desk(t)
	outside := filepath.Join(filepath.Dir(dir), "outside")
	require.NoError(t, os.MkdirAll(outside, 0o755))
	canary = filepath.Join(outside, "secret.md")
	for _, path := range []string{canary, filepath.Join(os.TempDir(), "sh-interp-canary")} {
		require.NoError(t, os.WriteFile(path, []byte("outside-canary\n"), 0o644))
	}
	require.NoError(t, os.Symlink(canary, filepath.Join(dir, "Notebook", "link.md")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "Notebook", "out")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "Notebook", "zero")))
	require.NoError(t, fifo(filepath.Join(dir, "Notebook", "fifo")))
	return dir, canary, folder
}

// picture is all that stands below a folder, with the times of the last change.
func picture(t *testing.T, dirs ...string) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil {
				fmt.Fprintln(&all, p, info.Mode(), info.Size(), info.ModTime())
			}
			return err
		}))
	}
	return all.String()
}

func leaks(text string) bool {
	return strings.Contains(text, "outside-canary") || strings.Contains(text, "hidden-canary") || strings.Contains(text, "root:x:0") || strings.Contains(text, "PATH=")
}

// Not one of the hostile lines reads what is outside or hidden, or changes anything.
func TestHostileLines(t *testing.T) {
	dir, canary, folder := trap(t)
	before := picture(t, filepath.Dir(dir), os.TempDir())
	lines := hostile(canary)
	require.Greater(t, len(lines), 60)
	for _, line := range lines {
		t.Run(line[:min(len(line), 60)], func(t *testing.T) {
			r, err := shell.Run(t.Context(), folder, line)
			assert.False(t, leaks(fmt.Sprint(r.Text, err)), "%s%v", r.Text, err)
			assert.NotContains(t, r.Text, "more than 16 KiB")
		})
	}
	assert.Equal(t, before, picture(t, filepath.Dir(dir), os.TempDir()))
}

// The control: behind a Folder that opens whatever it is asked for the same lines leak. Landlock alone holds them then, and the first wall
// still lets nothing be written.
func TestHostileLinesBehindAWeakFolder(t *testing.T) {
	dir, canary, _ := trap(t)
	at := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(dir, name)
	}
	weak := shell.Folder{
		Open: func(name string) (fs.File, error) {
			if info, err := os.Stat(at(name)); err != nil || !info.Mode().IsRegular() {
				return nil, fmt.Errorf("%s is not a regular file: %w", name, fs.ErrInvalid)
			}
			return os.Open(at(name))
		},
		List: func(name string) (infos []fs.FileInfo, err error) {
			entries, err := os.ReadDir(at(name))
			for _, e := range entries {
				info, err := e.Info()
				if err != nil {
					return nil, err
				}
				infos = append(infos, info)
			}
			return infos, err
		},
	}
	before := picture(t, filepath.Dir(dir), os.TempDir())
	leaked := func(folder shell.Folder) (n int) {
		for _, line := range hostile(canary) {
			if strings.Contains(line, " /") && !strings.Contains(line, canary) {
				continue // the whole machine is not for a test to read
			}
			r, err := shell.Run(t.Context(), folder, line)
			if strings.Contains(fmt.Sprint(r.Text, err), "outside-canary") {
				n++
			}
		}
		return n
	}
	open := leaked(weak)
	assert.Greater(t, open, 20, "without any wall but the first")
	locked := weak
	locked.Dir = dir
	if shell.Landlocked() {
		assert.Zero(t, leaked(locked))
	} else {
		assert.Equal(t, open, leaked(locked), "this kernel has no Landlock")
	}
	assert.Equal(t, before, picture(t, filepath.Dir(dir), os.TempDir()))
}

// The thread on which files are opened can read the folder and nothing else; the rest of the program goes on as it was.
func TestTheConfinedThread(t *testing.T) {
	dir, canary, folder := trap(t)
	asked := 0
	folder.Open = func(name string) (fs.File, error) {
		asked++
		_, err := os.ReadFile(canary)
		assert.Equal(t, shell.Landlocked(), errors.Is(err, fs.ErrPermission), "reading outside: %v", err)
		_, err = os.ReadDir(filepath.Dir(canary))
		assert.Equal(t, shell.Landlocked(), errors.Is(err, fs.ErrPermission), "listing outside: %v", err)
		err = os.WriteFile(filepath.Join(dir, "evil.md"), nil, 0o644)
		assert.Equal(t, shell.Landlocked(), errors.Is(err, fs.ErrPermission), "writing inside: %v", err)
		err = exec.Command(os.Args[0], "-test.run=^$").Run()
		assert.Equal(t, shell.Landlocked(), errors.Is(err, fs.ErrPermission), "running: %v", err)
		var others sync.WaitGroup
		for range 20 {
			others.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				_, err := os.ReadFile(canary)
				assert.NoError(t, err, "another thread, started meanwhile")
			})
		}
		others.Wait()
		return os.Open(filepath.Join(dir, name))
	}
	r, err := shell.Run(t.Context(), folder, "cat report.md")
	require.NoError(t, err)
	assert.Equal(t, "# Report\n\nA tide is a wave [s1].\n", r.Text)
	assert.Equal(t, 1, asked)
	folder.Dir = filepath.Join(dir, "gone")
	_, err = shell.Run(t.Context(), folder, "cat report.md")
	assert.Equal(t, shell.Landlocked(), err != nil, "a folder that is not there is not run without its wall: %v", err)
}

// What a refusal says is enough to go on with.
func TestRefusals(t *testing.T) {
	_, folder := desk(t)
	for line, want := range map[string]string{
		"curl http://x.example":        `there is no command "curl" here. Allowed are cat cut diff find grep head ls sed sort tail uniq wc`,
		"/bin/cat report.md":           `there is no command "/bin/cat" here`,
		"cat report.md &":              "background jobs are not available",
		"(cat report.md)":              "subshells and groups are not available",
		"for f in *; do ls; done":      "loops are not available",
		"if ls; then ls; fi":           "conditions are not available",
		"f() { ls; }":                  "functions are not available",
		"x=1 ls":                       "variables are not available",
		"export x=1":                   "variables are not available",
		"((1))":                        "arithmetic is not available",
		"time ls":                      "this construct is not available",
		"ls $x":                        "variables and substitutions are not available",
		`ls "$(ls)"`:                   "variables and substitutions are not available",
		"ls <(ls)":                     "process substitution is not available",
		"ls ~":                         "~ is not available",
		"ls {a,b}":                     "an unquoted { is not available",
		"ls $'a'":                      "$'…' is not available",
		"ls @(a)":                      "extended globs are not available",
		"ls > out.md":                  "writing is not available: output can go to /dev/null alone; files are written with write_file",
		"ls << x\nx":                   "here-documents are not available",
		"ls *?*?*?*?*?*?*?*":           "a glob may have 12 of * ? and [",
		"ls < *.md":                    "must be named plainly",
		"ls < /etc/passwd":             "/etc/passwd is not relative to the workspace",
		"ls 2>&-":                      "of >& there are only 2>&1 and 1>&2",
		"ls 5>/dev/null":               "only the descriptors 0, 1 and 2",
		"ls >| /dev/null":              "the redirection >| is not available",
		"> /dev/null":                  "a redirection needs a command",
		"'ls'":                         "the command must be named plainly",
		"":                             "there is no command",
		"cat 'x":                       "reading the command: 1:5: reached EOF without closing quote",
		"cat < gone.md":                "gone.md does not exist",
		"cat < .daybook/journal.jsonl": "is hidden",
	} {
		t.Run(line, func(t *testing.T) {
			_, err := shell.Run(t.Context(), folder, line)
			assert.ErrorContains(t, err, want)
		})
	}
}

package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is hidden or a secret is not read through a link either, whether of the file or of a folder above it, nor listed.
func TestSecretsBehindLinks(t *testing.T) {
	dir, w := onDisk(t)
	for _, name := range []string{".env", ".git/config", "keys/id_rsa", "keys/server.pem", "keys/prod.env", "secrets.json", "keys/wallet.kdbx"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("SECRET\n"), 0o644))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "Notebook/link.md")), "of the one before")
		require.NoError(t, os.Symlink("../"+name, filepath.Join(dir, "Notebook/link.md")))
		for _, p := range []string{name, "Notebook/link.md"} {
			text, err := w.Read(p)
			assert.ErrorContains(t, err, "not read", p)
			assert.Empty(t, text)
			_, err = w.Peek(p)
			require.Error(t, err, p)
			_, err = w.Open(p)
			require.Error(t, err, p)
		}
	}
	require.NoError(t, os.Symlink("../.git", filepath.Join(dir, "Notebook/folder")))
	_, err := w.List("Notebook/folder")
	require.ErrorContains(t, err, "hidden")
	_, err = w.Walk("Notebook/folder", func(string) error { return nil })
	require.ErrorContains(t, err, "hidden")
	_, err = w.Read("Notebook/folder/config")
	require.ErrorContains(t, err, "hidden")
	for _, p := range []string{"keys/id_rsa.pub", "Notebook/credentials.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte("text\n"), 0o644))
		_, err := w.Read(p)
		require.NoError(t, err, p)
	}
}

// The agent makes and changes no file that another program runs or obeys: a rule of endings, and of names that pass it.
func TestActiveFiles(t *testing.T) {
	each(t, func(t *testing.T, at place) {
		w := at.begin(t)
		require.NoError(t, w.Create("Notebook/01.md", "one\n"))
		refused := []string{"report.html", "x.htm", "x.xhtml", "x.desktop", "conftest.py", "setup.py", "x.sh", "x.bat", "x.ps1", "x.js", "x.mjs", "x.ts", "x.exe", "x.lnk",
			"x.url", "x.webloc", "x.toml", "x.ini", "x.cfg", "x.plist", "x.service", "x.ipynb", "x.tex", "x.mdx", "x.docx", "x.xlsm", "x.mdc", "Makefile", "makefile", "GNUmakefile",
			"Dockerfile", "Rakefile", "configure", "x", "x.", "x.md ", "x.md.", "CMakeLists.txt", "requirements.txt", "requirements-dev.txt", "AGENTS.md", "agents.md",
			"AGENTS.override.md", "AGENTS-local.md", "ＡＧＥＮＴＳ.md", "agen\u200dts.md", "CLAUDE.md", "CLAUDE.local.md", "claude.md", "GEMINI.md", "QWEN.md", "SKILL.md", "copilot-instructions.md",
			"style.instructions.md", "go.prompt.md", "package.json", "mcp.json", "tsconfig.json", "docker-compose.yml", ".git", ".gitignore", ".vscode/tasks.json", ".git/hooks/x.md",
			"\u200d.git/x.md", "．git/x.md", "GIT~1/x.md", "x.yaml", "x.json", "x.svg"}
		for _, folder := range []string{"", "Notebook/", "notes/"} {
			for _, name := range refused {
				if data := map[string]bool{"x.yaml": true, "x.json": true, "x.svg": true}; data[name] && folder == "Notebook/" {
					continue
				}
				p := folder + name
				assert.Error(t, w.Create(p, "x"), p)
				assert.Error(t, w.Append(p, "x"), p)
				assert.Error(t, errOf(w.Overwrite(p, "x")), p)
				assert.Error(t, w.Move("Notebook/01.md", p), p)
			}
			for _, name := range []string{"a.md", "b.markdown", "c.txt", "d.csv", "e.tsv", "f.bib", "agents-and-tools.md", "Claude models.md", "1.2 Introduction.md", "报告.md", "2020~2024.md"} {
				assert.NoError(t, w.Create(folder+name, "x"), folder+name)
			}
		}
		for _, name := range []string{"a.json", "b.jsonl", "c.yaml", "d.yml"} {
			require.NoError(t, w.Create("Notebook/"+name, "x"), name)
		}
		assert.Equal(t, "one\n", at.text(t, "Notebook/01.md"))
	})
}

// A picture of the agent's is shapes and words.
func TestPictures(t *testing.T) {
	w := memory().begin(t)
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="9"><g><text x="1">5 &lt; 6</text><circle r="2"/></g></svg>`
	require.NoError(t, w.Create("Notebook/a.svg", picture))
	require.NoError(t, errOf(w.Overwrite(workspace.ChartFile, picture)))
	for _, active := range []string{`<svg><script>1</script></svg>`, `<svg onload="x()"/>`, `<svg><a href="javascript:x()">x</a></svg>`, `<svg><foreignObject/></svg>`,
		`<svg><image href="https://x.test/"/></svg>`, `<svg><rect fill="url(https://x.test/)"/></svg>`, `<svg><style>@import 'https://x.test'</style></svg>`,
		`<svg xmlns:h="http://www.w3.org/1999/xhtml"><h:script>1</h:script></svg>`, `<!DOCTYPE svg [<!ENTITY x "y">]><svg/>`, `<?xml-stylesheet href="x"?><svg/>`,
		`<svg><set attributeName="href" to="javascript:x()"/></svg>`, `<svg><rect ONCLICK="x()"/></svg>`, `<svg`, `<html><body>`} {
		assert.Error(t, w.Create("Notebook/b.svg", active), active)
		assert.Error(t, errOf(w.Overwrite(workspace.ChartFile, active)), active)
		require.NoError(t, errOf(w.Overwrite("Notebook/c.txt", active)))
		assert.Error(t, w.Move("Notebook/c.txt", "Notebook/c.svg"), active)
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// npmModules is a folder in which npm installed the official clients, as DAYBOOK_NPM says: npm install @modelcontextprotocol/sdk
// @modelcontextprotocol/client.
func npmModules(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("DAYBOOK_NPM")
	if modules == "" {
		t.Skip("DAYBOOK_NPM names no folder with the npm packages")
	}
	return modules
}

// The official TypeScript clients, of both generations, drive a whole research.
func TestTheOfficialClientsDriveAResearch(t *testing.T) {
	modules := npmModules(t)
	built := filepath.Join(t.TempDir(), "daybook")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", built, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, sdk := range []string{"v1", "v2"} {
		t.Run(sdk, func(t *testing.T) {
			script, err := parsePlay(zlorpol)
			require.NoError(t, err)
			a := newAttended(t, script.Answer)
			cmd := exec.CommandContext(t.Context(), "node", "testdata/npm/drive.mjs", modules, sdk,
				built, filepath.Join(a.home, "all"))
			cmd.Env = a.env
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			require.NoError(t, err)
		})
	}
}

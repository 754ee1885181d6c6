// Package program starts foreign programs, such as a browser, so that nothing of them is left: neither when
// the caller is done with one nor when this program is killed itself.
package program

import (
	"slices"
	"strings"
)

// Innocent are the variables by which a program finds its files, its fonts and its language. None is a key.
func Innocent(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		switch name {
		case "PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT",
			"LOCALAPPDATA", "APPDATA", "USERPROFILE", "PROGRAMFILES":
			return false
		}
		return !strings.HasPrefix(name, "LC_") && !strings.HasPrefix(name, "XDG_") &&
			!strings.HasPrefix(name, "FONTCONFIG_")
	})
}

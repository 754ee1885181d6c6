//go:build !linux

package web_test

import (
	"syscall"
	"testing"
)

// Networks of a process's own are Linux's; elsewhere the loopback gauntlet has to do.
func processIn(*testing.T, string) *syscall.SysProcAttr { return nil }

func namespace(t *testing.T) *world {
	t.Fatal("there is no such world here")
	return nil
}

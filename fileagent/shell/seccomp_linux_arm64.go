package shell

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// forbiddenHere is empty: this architecture has no older forms of calls.
var forbiddenHere []uint32

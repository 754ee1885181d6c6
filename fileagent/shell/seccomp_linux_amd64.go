package shell

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// forbiddenHere are the older forms of calls that this architecture still has.
var forbiddenHere = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME,
	unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
	unix.SYS_INOTIFY_INIT,
}

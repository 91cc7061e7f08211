package subject

import (
	"errors"
	"os"
	"syscall"
)

// execSubject forks and executes the subject with the guard's own standard output
// and error, which are hone's pipes, and nothing to read. It goes round os/exec,
// whose Wait would compete with the guard's reaping of all children.
func execSubject(o startOrder, attr *syscall.SysProcAttr) (int, *guardFault) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, &guardFault{Step: "open " + os.DevNull, Text: err.Error()}
	}
	defer null.Close()
	pid, err := syscall.ForkExec(o.Path, o.Argv, &syscall.ProcAttr{
		Dir: o.Dir, Env: o.Env, Files: []uintptr{null.Fd(), 1, 2}, Sys: attr,
	})
	if err != nil {
		scarce := errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM)
		return 0, &guardFault{Step: "start " + o.Path, Text: err.Error(), Subject: !scarce}
	}
	return pid, nil
}

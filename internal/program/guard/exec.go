package guard

import (
	"errors"
	"os"
	"syscall"
)

// BoxStep is what fails where a control group cannot be made or entered.
const BoxStep = "put the program in a box"

// execSubject forks and executes the subject with the guard's own standard output
// and error, which are hone's pipes, and nothing to read. It goes round os/exec,
// whose Wait would compete with the guard's reaping of all children.
func execSubject(o StartOrder, attr *syscall.SysProcAttr) (pid int, fault *Fault) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, &Fault{Step: "open " + os.DevNull, Text: err.Error()}
	}
	defer null.Close()
	fork := func() (err error) {
		pid, err = syscall.ForkExec(o.Path, o.Argv, &syscall.ProcAttr{
			Dir: o.Dir, Env: o.Env, Files: []uintptr{null.Fd(), 1, 2}, Sys: attr,
		})
		return err
	}
	if o.Box.Exists() {
		if err := o.Box.Make(); err != nil {
			return 0, &Fault{Step: BoxStep, Text: err.Error()}
		}
		forked := false
		err = o.Box.Fork(attr, func() error { forked = true; return fork() })
		if err != nil && !forked {
			return 0, &Fault{Step: BoxStep, Text: err.Error()}
		}
	} else {
		err = fork()
	}
	if err != nil {
		scarce := errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM)
		return 0, &Fault{Step: "start " + o.Path, Text: err.Error(), Subject: !scarce}
	}
	return pid, nil
}

//go:build !linux

package proc

import (
	"errors"
	"os/exec"
	"time"
)

var errLinux = errors.New("this benchmark needs Linux")

func startOn(cpu int, cmd *exec.Cmd) error {
	if cpu >= 0 {
		return errLinux
	}
	return cmd.Start()
}

// PinSelf binds this process to one CPU; Linux's only.
func PinSelf(int) error { return errLinux }

// CPUTime is the CPU time that a process has used so far; Linux's only.
func CPUTime(int) (time.Duration, error) { return 0, errLinux }

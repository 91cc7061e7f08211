//go:build !linux

package side

import (
	"errors"
	"os/exec"
)

// StartOn cannot pin here, and a benchmark that is not pinned compares nothing.
func StartOn(cpu int, cmd *exec.Cmd) error {
	if cpu >= 0 {
		return errors.New("pin to a CPU: these benchmarks need Linux")
	}
	return cmd.Start()
}

//go:build unix

package lifetime

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/program/output"
)

// Run runs a command for hone (a build, a list) that is bound to hone, with a mark.
func Run(cmd *exec.Cmd) error {
	Mark(cmd)
	return RunBound(cmd)
}

// RunBound runs a command that is bound to hone.
func RunBound(cmd *exec.Cmd) error {
	Bind(cmd)
	// The death signal of a process belongs to the thread that forks it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return cmd.Run()
}

// WithOutput runs a command by run, and returns what it has written: its beginning and its end.
func WithOutput(cmd *exec.Cmd, run func(*exec.Cmd) error) (wrote string, err error) {
	text := output.NewRing(256 << 10) // far over ErrorLines; the rest of a flood is dropped
	cmd.Stdout, cmd.Stderr = &text, &text
	err = run(cmd)
	return text.Stream().String(), err
}

// Bind makes the end of cmd's context kill the whole group of cmd, and on Linux the death
// of hone kill cmd itself. Go build runs compilers: the death of go alone would leave them
// at work. The group is killed while its leader is not yet waited for, so its number cannot
// have passed to another.
//
// The goroutine that starts cmd must be locked to its thread until cmd has ended: the end
// of the thread counts as the death of hone.
func Bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithHone(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second // for output held open by a process that left the group
}

// Mark gives cmd a mark, so that the next hone ends what a killed one has left of it: see
// EndOrphans. It returns the mark. A command that may leave a process for the user, such as a database, must
// have none.
func Mark(cmd *exec.Cmd) (mark string) {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	// The capacity is cut so that the caller's slice is not written to.
	mark = NewMark()
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], MarkVariable+"="+mark)
	return mark
}

package syncs

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/conduct/gobench/process"
)

// Count runs a program to its end, with the processes that it starts, and counts the calls that wait for a disk.
// When ctx is done the program is killed and the error is ctx's. Where no process may follow another the error is
// ErrUnsupported, and a program that fails is an error, too.
func Count(ctx context.Context, p process.Program, args ...string) (calls int, err error) {
	done := make(chan struct{})
	// It ends with the program. The kernel tells what happens only to the thread that started it.
	go func() {
		defer close(done)
		runtime.LockOSThread() // and ends with the thread, so that no other goroutine inherits a process
		calls, err = follow(ctx, p, args)
	}()
	<-done
	return calls, err
}

// options: calls are told from other traps, children are followed, and nothing survives this thread.
const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK |
	unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL

// atCall is the signal of a stop at a system call.
const atCall = unix.SIGTRAP | 0x80

func follow(ctx context.Context, p process.Program, args []string) (int, error) {
	cmd := exec.Command(p.Path, args...)
	cmd.Dir, cmd.Env = p.Dir, append(p.Env[:len(p.Env):len(p.Env)], "PWD="+p.Dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("%w: start %s: %w", ErrUnsupported, p.Path, err)
	}
	leader := cmd.Process.Pid
	defer func() { _ = cmd.Process.Release() }()
	kill := func() { _ = unix.Kill(-leader, unix.SIGKILL) }
	defer context.AfterFunc(ctx, kill)()
	t := tracer{leader: leader, known: map[int]bool{}, pending: map[int]call{}, synced: map[uint64]bool{}}
	err := t.run()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return 0, err
	case !t.ended.Exited() || t.ended.ExitStatus() != 0:
		return 0, fmt.Errorf("it ended with status %d, signal %d", t.ended.ExitStatus(), t.ended.Signal())
	}
	return t.calls, nil
}

// tracer follows the threads of a program.
type tracer struct {
	leader  int
	calls   int
	known   map[int]bool    // threads that were stopped
	pending map[int]call    // by thread: what it asks the kernel for
	synced  map[uint64]bool // descriptors whose writes wait for the disk
	ended   unix.WaitStatus // of the leader
}

// run goes on until the leader and all that it started have ended.
func (t *tracer) run() error {
	ended := false
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ECHILD):
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", ErrUnsupported, err)
		case status.Exited() || status.Signaled():
			delete(t.pending, pid)
			delete(t.known, pid)
			if pid == t.leader {
				t.ended, ended = status, true
				t.kill() // what it leaves is not the benchmark
			}
			continue
		case !status.Stopped():
			continue
		}
		if ended {
			_ = unix.Kill(pid, unix.SIGKILL) // it was about to be known
		}
		if err := t.goOn(pid, status); err != nil && !ended && !errors.Is(err, unix.ESRCH) {
			t.kill()
			return fmt.Errorf("%w: %w", ErrUnsupported, err)
		}
	}
}

// goOn notes what a thread was stopped for, and lets it go on to its next call.
func (t *tracer) goOn(pid int, status unix.WaitStatus) error {
	signal := status.StopSignal()
	switch {
	case !t.known[t.leader]: // the exec
		signal = 0
		if err := unix.PtraceSetOptions(pid, options); err != nil {
			return err
		}
	case signal == atCall:
		signal = 0
		if err := t.at(pid); err != nil {
			return err
		}
	case status.TrapCause() > 0 || signal == unix.SIGSTOP: // a new thread, or its first stop
		signal = 0
	}
	t.known[pid] = true
	return unix.PtraceSyscall(pid, int(signal))
}

// kill ends all that was started, whatever group it is in.
func (t *tracer) kill() {
	_ = unix.Kill(-t.leader, unix.SIGKILL)
	for pid := range t.known {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// info is struct ptrace_syscall_info of linux/ptrace.h, the part for entries; an exit has its result in place of
// number.
type info struct {
	op     uint8
	_      [3]uint8
	_      uint32 // architecture
	_, _   uint64 // instruction and stack pointer
	number uint64
	args   [6]uint64
}

const (
	getSyscallInfo = 0x420e // PTRACE_GET_SYSCALL_INFO
	entry, exit    = 1, 2   // PTRACE_SYSCALL_INFO_ENTRY and _EXIT
)

// at notes the call that a thread enters or leaves.
func (t *tracer) at(pid int) error {
	var i info
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, getSyscallInfo, uintptr(pid), unsafe.Sizeof(i),
		uintptr(unsafe.Pointer(&i)), 0, 0)
	switch {
	case errno != 0:
		return errno
	case i.op == entry:
		t.pending[pid] = call{i.number, i.args}
	case i.op == exit:
		if c, ok := t.pending[pid]; ok && int64(i.number) >= 0 {
			t.did(c, i.number)
		}
		delete(t.pending, pid)
	}
	return nil
}

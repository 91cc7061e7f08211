package guard

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/processes"
)

// firstGuard is the guard that hone starts: the backup, which starts the guard proper.
const firstGuard = BackupName

// Describe describes what ends the subject's processes if hone is killed, and whether that
// reaches all of them.
func Describe() (text string, complete bool) {
	return "started programs are always stopped, even if hone is killed", true
}

// backupPatience is how long the backup waits for the guard after hone's death: the
// longest grace that the guard gives, and half a second for its KILL.
const backupPatience = OrphanGrace + time.Second/2

// backUp is the backup guard: the parent of the guard, and like it a subreaper. It returns
// the exit code when nothing is left below it.
//
// It acts where the guard cannot: if the guard was killed, all that it leaves comes to the
// backup, which sends KILL to it; and if the guard has not ended some time after hone's
// death (it was stopped, or hangs), the backup sends KILL to everything, the guard included.
// So nothing survives a kill of hone, of the guard, or of both in one call.
//
// Its standard input is a pipe that ends with hone. The guard's own sockets are at
// controlFD and dialerFD and are only passed on.
func backUp() int {
	sockets := sealSockets(controlFD, dialerFD)
	if len(sockets) == 0 {
		return 2
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 1
	}
	guard, err := forkGuard()
	for _, fd := range sockets {
		_ = unix.Close(fd) // hone learns of the guard's death by the end of its socket
	}
	if err != nil {
		return 1
	}
	b := &backup{guard: guard}
	b.watch()
	if boxOfGuards().Remove() != nil {
		return 1
	}
	return 0
}

// sealSockets returns those of the descriptors that are sockets. What else has a number of
// theirs was opened by this process itself.
func sealSockets(fds ...int) (sockets []int) {
	for _, fd := range fds {
		if _, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE); err == nil {
			sockets = append(sockets, fd)
		}
	}
	return sockets
}

// forkGuard starts the guard in a session of its own, so that no signal to a group or a
// session reaches both. Descriptors from 3 on keep their numbers.
func forkGuard() (int, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	argv := append([]string{Name}, os.Args[1:]...)
	return syscall.ForkExec("/proc/self/exe", argv, &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{null.Fd(), 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
}

type backup struct {
	guard   int // its PID
	killing bool
}

// watch waits until nothing is left. Its goroutines end with the process.
func (b *backup) watch() {
	orphaned := make(chan struct{})
	go func() { // hone never writes: the end of the pipe is the end of hone
		defer close(orphaned)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	deaths := make(chan death)
	go reap(deaths)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)

	tick := time.NewTimer(time.Hour)
	defer tick.Stop()
	for {
		select {
		case d, ok := <-deaths:
			if !ok {
				return
			}
			if d.pid == b.guard {
				b.killing = true
			}
		case <-orphaned:
			orphaned = nil
			tick.Reset(backupPatience)
		case <-signals:
			if !b.killing {
				_ = syscall.Kill(b.guard, syscall.SIGTERM) // the guard knows the grace
			}
		case <-tick.C:
			b.killing = true
		}
		if b.killing {
			KillAll(processes.Below(os.Getpid(), 0))
			tick.Reset(killRetry)
		}
	}
}

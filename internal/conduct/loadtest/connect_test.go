package loadtest

import (
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// Whose fault it is that no connection came about decides the exit code.
func TestConnectErrorsHaveAKind(t *testing.T) {
	for kind, number := range map[fail.Kind]syscall.Errno{
		fail.Subject: syscall.ECONNREFUSED, fail.Environment: syscall.EMFILE,
	} {
		err := connectError(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", number)},
			Task{Load: spec.Load{Target: "http://127.0.0.1:1/"}})
		if got := fail.ExitCode(err); got != int(kind) || fail.HintOf(err) == "" {
			t.Errorf("%v: exit code %d, want %d, hint %q", err, got, kind, fail.HintOf(err))
		}
	}
}

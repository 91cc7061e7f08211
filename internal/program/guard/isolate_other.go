//go:build !linux

package guard

import (
	"context"
	"net"
	"syscall"
	"time"
)

func isolations() []*syscall.SysProcAttr { return nil }

// dialer is never made here.
type dialer struct{}

func newDialer(*net.UnixConn) *dialer { return nil }

func (*dialer) Dial(context.Context, string) (net.Conn, error) { return nil, errNoIsolation }

func (*dialer) close() {}

func (*dialer) HangUp(time.Duration) {}

// dialerSocket is the type of the socket between dialer and guard.
const dialerSocket = syscall.SOCK_STREAM

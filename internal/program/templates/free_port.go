package templates

import (
	"net"

	"github.com/gohone/hone/internal/text/fail"
)

// FreePort finds a port that is unused on the loopback, by TCP and by UDP. Another process may take
// it before the subject does; readiness would notice.
func FreePort() (int, error) {
	var fault error
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, fail.New(fail.Environment, "find a free port: %w", err)
		}
		u, err := net.ListenPacket("udp", l.Addr().String())
		l.Close()
		if err == nil {
			u.Close()
			return l.Addr().(*net.TCPAddr).Port, nil
		}
		fault = err
	}
	return 0, fail.New(fail.Environment, "find a port that is free by TCP and by UDP: %w", fault)
}

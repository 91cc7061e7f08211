package epoll

import (
	"net"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAcceptTakesTheWholeQueue(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			address := "127.0.0.1:0"
			if network == "unix" {
				address = filepath.Join(t.TempDir(), "s")
			}
			l, err := net.Listen(network, address)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			p := newPoller(t, 8)
			onListener(t, l, func(fd int) {
				if _, errno := Accept(fd); errno != unix.EAGAIN {
					t.Fatalf("Accept without a client: %v", errno)
				}
				if err := p.Watch(fd, Token{Link: -2}, false); err != nil {
					t.Fatal(err)
				}
				const clients = 5
				var wg sync.WaitGroup
				defer wg.Wait()
				for range clients {
					wg.Go(func() { greet(t, l.Addr()) })
				}
				for accepted := 0; accepted < clients; {
					if events := next(t, p); len(events) != 1 || events[0].Token().Link != -2 {
						t.Fatalf("events %+v", events)
					}
					for {
						conn, errno := Accept(fd)
						if errno == unix.EAGAIN {
							break
						}
						if errno != 0 {
							t.Fatal(errno)
						}
						accepted++
						checkFlags(t, conn)
						put(t, conn, "hello")
						unix.Close(conn)
					}
				}
			})
		})
	}
}

// onListener lends do the listener's descriptor, which stays Go's.
func onListener(t *testing.T, l net.Listener, do func(fd int)) {
	t.Helper()
	raw, err := l.(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) { do(int(fd)) }); err != nil {
		t.Fatal(err)
	}
}

// greet connects and wants to be told hello.
func greet(t *testing.T, to net.Addr) {
	c, err := net.Dial(to.Network(), to.String())
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	buf := make([]byte, 16)
	if n, err := c.Read(buf); err != nil || string(buf[:n]) != "hello" {
		t.Errorf("read %q, %v", buf[:n], err)
	}
}

func checkFlags(t *testing.T, fd int) {
	t.Helper()
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0); err != nil || flags&unix.O_NONBLOCK == 0 {
		t.Errorf("flags %#x, %v: not non-blocking", flags, err)
	}
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %#x, %v: handed to child processes", flags, err)
	}
}

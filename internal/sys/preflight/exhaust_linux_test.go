package preflight

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// In a network namespace with a hundred ports, connections are opened until the kernel
// has none left: as many as checkPorts promised.
func TestThePortsThatAreLeftAreThoseTheKernelGives(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), childEnv+"=exhaust")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	var refused *os.PathError
	if errors.As(err, &refused) || strings.Contains(string(out), "skip:") {
		t.Skipf("no network namespace available: %v %s", err, out)
	}
	if err != nil || string(out) != "ok" {
		t.Errorf("%v: %s", err, out)
	}
}

// exhaust is the child of the test above. It prints ok, or what went wrong.
func exhaust() {
	const portRange = "/proc/sys/net/ipv4/ip_local_port_range"
	if err := errors.Join(loopbackUp(), os.WriteFile(portRange, []byte("40000 40099"), 0)); err != nil {
		fmt.Println("skip:", err)
		return
	}
	for _, source := range []string{"", "127.0.0.1", "127.0.0.2"} {
		if err := exhaustFrom(source); err != nil {
			fmt.Printf("source %q: %v\n", source, err)
			return
		}
	}
	fmt.Print("ok")
}

// exhaustFrom compares promise and kernel for one source, with a listener and a few
// connections to another target in the range, which all end with it.
func exhaustFrom(source string) error {
	var open []interface{ Close() error }
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	listen := func(at string) net.Listener {
		l, err := net.Listen("tcp4", at)
		if err != nil {
			panic(err)
		}
		open = append(open, l)
		return l
	}
	dial := func(l net.Listener) error {
		d := net.Dialer{}
		if source != "" {
			d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(source)}
		}
		c, err := d.Dial("tcp4", l.Addr().String())
		if err != nil {
			return err
		}
		// A reset leaves no TIME_WAIT behind, which the next source would find.
		open = append(open, closer(func() error { return errors.Join(c.(*net.TCPConn).SetLinger(0), c.Close()) }))
		return nil
	}
	target, other := listen("127.0.0.1:80"), listen("127.0.0.1:81")
	listen("0.0.0.0:40050")
	for range 7 {
		if err := dial(other); err != nil {
			return fmt.Errorf("connect to the other target: %w", err)
		}
	}
	need := Need{Connections: 100, Target: target.Addr().String()}
	if source != "" {
		need.Sources = []netip.Addr{netip.MustParseAddr(source)}
	}
	m, to := machine{files: os.DirFS("/")}, resolve(need.Target)
	for need.Connections > 0 && m.checkPorts(need, to) != nil {
		need.Connections--
	}
	got := 0
	for ; got <= 100; got++ {
		if err := dial(target); errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EADDRINUSE) {
			break
		} else if err != nil {
			return fmt.Errorf("connection %d: %w", got, err)
		}
	}
	if got != need.Connections || got < 90 {
		return fmt.Errorf("promised %d, got %d", need.Connections, got)
	}
	return nil
}

type closer func() error

func (c closer) Close() error { return c() }

// loopbackUp brings the loopback interface up, which a new namespace has down.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// Ask the kernel, not a table, whether it takes the address of a whole network.
func TestAllOfLoopbackIsOurs(t *testing.T) {
	var c net.ListenConfig
	l, err := c.Listen(context.Background(), "tcp4", "127.9.8.7:0")
	if err != nil {
		t.Skipf("loopback is not 127.0.0.0/8 here: %v", err)
	}
	defer l.Close()
	if err := Check(Need{Connections: 1, Target: l.Addr().String(),
		Sources: []netip.Addr{netip.MustParseAddr("127.6.5.4")}}); err != nil {
		t.Error(err)
	}
}

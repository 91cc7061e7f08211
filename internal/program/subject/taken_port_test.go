package subject

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
)

// Fault 13: a stranger has the port. It is named, and hone does not connect to it.
func TestStrangerOnThePort(t *testing.T) {
	for _, c := range []struct{ stranger, target string }{
		{"127.0.0.1:0", "127.0.0.1"},
		{"127.0.0.1:0", "localhost"},
		{"127.0.0.1:0", ""},
		{"0.0.0.0:0", "127.0.0.1"},
		{"[::]:0", "127.0.0.1"},
	} {
		t.Run(c.stranger+" "+c.target, func(t *testing.T) {
			leaktest.None(t)
			// The stranger is this test, so that it sees who connects.
			l, err := net.Listen("tcp", c.stranger)
			if err != nil {
				t.Skipf("no such listener here: %v", err)
			}
			visited := make(chan bool, 1)
			go func() {
				conn, err := l.Accept()
				if err == nil {
					conn.Close()
				}
				visited <- err == nil
			}()
			port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
			addr := net.JoinHostPort(c.target, port)
			_, err = Start(t.Context(), server(t, addr), withGuard(StartOptions{Readiness: Readiness{Target: addr}}))
			wantFail(t, err, fail.Subject, "is taken", fmt.Sprintf("PID %d (", os.Getpid()), port)
			if !strings.Contains(fail.HintOf(err), templates.Port) {
				t.Errorf("hint %q", fail.HintOf(err))
			}
			l.Close()
			if <-visited {
				t.Error("a connection reached the stranger")
			}
		})
	}
}

// A stranger who takes the port while the subject starts is found out as well.
func TestStrangerComesLater(t *testing.T) {
	leaktest.None(t)
	port, err := templates.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	addr := "127.0.0.1:" + strconv.Itoa(port)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &prepared{opts: StartOptions{Readiness: Readiness{ReadyTimeout: time.Second}}, name: "program A"}
	if p.target, err = listeners.ParseTarget(t.Context(), addr, false); err != nil {
		t.Fatal(err)
	}
	if err := p.refuseStranger(); err != nil {
		t.Fatalf("before there is a listener: %v", err)
	}
	stranger := exec.Command(exe, rolePrefix+"serve", addr)
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = stranger.Process.Kill()
		_ = stranger.Wait()
	}()
	await(t, "the stranger to listen", func() bool { return p.refuseStranger() != nil })
	wantFail(t, p.refuseStranger(), fail.Subject, fmt.Sprintf("PID %d (", stranger.Process.Pid))
}

// A free port that another program takes first is replaced by another one: with a target, where
// hone sees the stranger, and without one, where only the subject says it.
func TestLostPortIsReplaced(t *testing.T) {
	for _, target := range []string{"127.0.0.1:{port}", ""} {
		t.Run(target, func(t *testing.T) {
			leaktest.None(t)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			lost, asked := l.Addr().(*net.TCPAddr).Port, 0
			takesLost := func() (int, error) {
				if asked++; asked < mostPorts {
					return lost, nil
				}
				return templates.FreePort()
			}
			o := withGuard(StartOptions{Readiness: Readiness{Target: target}, ProbeDir: t.TempDir()})
			p, err := startOnPorts(t.Context(), server(t, "127.0.0.1:{port}"), o, takesLost)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = p.Stop(context.Background()) })
			if _, port, _ := net.SplitHostPort(p.Address()); port == strconv.Itoa(lost) || asked != mostPorts {
				t.Errorf("listens on %s after %d ports, %d is lost", p.Address(), asked, lost)
			}
			onlyLost := func() (int, error) { asked++; return lost, nil }
			o = withGuard(StartOptions{Readiness: Readiness{Target: target}})
			_, err = startOnPorts(t.Context(), server(t, "127.0.0.1:{port}"), o, onlyLost)
			wantFail(t, err, fail.Subject)
			if asked != 2*mostPorts {
				t.Errorf("%d ports, want %d", asked, 2*mostPorts)
			}
		})
	}
}

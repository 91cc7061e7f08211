package sidebyside

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/services/framed"
)

// Our own service passes, and a server that answers with what it was sent does not.
func TestVerify(t *testing.T) {
	ctx := t.Context()
	server, err := framed.New(framed.Config{Stage: "batched"})
	if err != nil {
		t.Fatal(err)
	}
	ln := listen(t)
	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }()
	if err := verifyConn(ctx, ln.Addr().String(), rand.New(rand.NewPCG(1, 2))); err != nil {
		t.Error(err)
	}
	if err := errors.Join(server.Shutdown(ctx), <-served); err != nil {
		t.Error(err)
	}

	echo := listen(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c, err := echo.Accept(); err == nil {
			io.Copy(c, c)
			c.Close()
		}
	}()
	err = verifyConn(ctx, echo.Addr().String(), rand.New(rand.NewPCG(1, 2)))
	if err == nil || !strings.Contains(err.Error(), "not those of services/framed") {
		t.Errorf("an echo passes: %v", err)
	}
	<-ended
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln
}

// The server in C is built, started, verified, measured and ended as all others are.
func TestServerInC(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it needs epoll")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to build it with")
	}
	ctx := t.Context()
	p := program{dir: filepath.Join("..", "peers"), source: progEpoll.source}
	b, err := p.build(ctx, filepath.Join(t.TempDir(), "epollc"))
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{built: map[program]built{p: b}}
	e := &entrant{Name: nameEpoll, program: p}
	if err := l.verifyFramed(ctx, e); err != nil {
		t.Error(err)
	}
	s, err := l.start(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	if used, err := proc.CPUTime(s.Pid()); err != nil || used <= 0 {
		t.Errorf("CPU time %v, %v", used, err)
	}
	// It has more than a byte: the watch ends at once and says so.
	if peak, over, err := watchMemory(ctx, s, 1); err != nil || !over || peak <= 1 {
		t.Errorf("memory is over a byte: %d, %v, %v", peak, over, err)
	}
	s.Stop()
	if s.Fault() == nil {
		t.Error("it was stopped and has not ended")
	}
}

// Without a compiler the program in C is skipped by that name; a program of ours never is.
func TestBuildFaults(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Chdir("..") // the sources of programs are named from there
	ctx := context.Background()
	if _, err := progEpoll.build(ctx, "unused"); !errors.Is(err, proc.ErrNoCompiler) {
		t.Errorf("error %v, want %v", err, proc.ErrNoCompiler)
	}
	needs := func(p program) []kind {
		return []kind{{contests: func(*lab) []*contest { return []*contest{{Entrants: []*entrant{{program: p}}}} }}}
	}
	l := &lab{config: config{kinds: needs(progEpoll)}, dir: t.TempDir()}
	if err := l.build(ctx); err != nil || len(l.skipped) != 1 {
		t.Errorf("error %v, skipped %v", err, l.skipped)
	}
	l.kinds = needs(progFramed)
	if err := l.build(ctx); err == nil {
		t.Error("ours does not build, and nothing is said")
	}
}

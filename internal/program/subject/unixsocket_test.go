package subject

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// onSocket are the options of a start whose target is a Unix socket.
func onSocket(t *testing.T, path string) StartOptions {
	return StartOptions{Readiness: Readiness{Network: "unix", Target: path, ReadyTimeout: 5 * time.Second},
		DataDir: shortDir(t)}
}

// shortDir is a directory whose name leaves room in the path of a Unix socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestSocketTemplate(t *testing.T) {
	leaktest.None(t)
	b := server(t, "{socket}", "{socket2}", "127.0.0.1:0")
	b.Variant.Env = []string{"SOCKET={socket}", "OTHER={socket2}"}
	p := start(t, b, onSocket(t, "{socket}"))
	path := p.TemplateSocket()
	if p.Address() != path || p.Network() != "unix" || !strings.HasSuffix(path, "/s") {
		t.Fatalf("address %s %q, template %q", p.Network(), p.Address(), path)
	}
	for command, want := range map[string]string{
		"env SOCKET": path, "env OTHER": path + "2", "pid": strconv.Itoa(p.PID()),
	} {
		if got := tell(t, p, command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory of the socket: %v, %v", info, err)
	}
	if all, err := p.Sockets(); err != nil || len(all) != 2 && osHasSockets {
		t.Errorf("sockets %v, %v; want two", all, err)
	}
	if _, err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the directory of the socket is left: %v", err)
	}
}

// The program is told no target: the socket that it was told counts before a port that it opens, too.
func TestStartFindsUnixSockets(t *testing.T) {
	if !osHasSockets {
		t.Skip("this system does not list Unix sockets")
	}
	leaktest.None(t)
	dir := shortDir(t)
	own := filepath.Join(dir, "own socket")
	abstract := "@hone-test-" + tempdir.RandomName()
	for _, c := range []struct {
		name      string
		addresses []string
		want      func(p *Process) string
	}{
		{"told", []string{"{socket}", "127.0.0.1:0"}, (*Process).TemplateSocket},
		{"told beside another", []string{own, "{socket}"}, (*Process).TemplateSocket},
		{"port before a socket that was not told", []string{own, "127.0.0.1:{port}"},
			func(p *Process) string { return "127.0.0.1:" + strconv.Itoa(p.port) }},
		{"path of its own", []string{own}, func(*Process) string { return own }},
		{"relative path of its own", []string{"./rel.sock"},
			func(*Process) string { return filepath.Join(dir, "rel.sock") }},
		{"abstract", []string{abstract}, func(*Process) string { return abstract }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, server(t, c.addresses...), StartOptions{DataDir: dir, Dir: dir, ProbeDir: shortDir(t)})
			if got, want := p.Address(), c.want(p); got != want {
				t.Errorf("address %s, want %s", got, want)
			}
			if got := tell(t, p, "pid"); got != strconv.Itoa(p.PID()) {
				t.Errorf("answer from PID %s, want %d", got, p.PID())
			}
			own, err := p.Sockets()
			if err != nil || slices.ContainsFunc(own,
				func(l listeners.Listener) bool { return strings.HasPrefix(l.Socket, p.opts.ProbeDir) }) {
				t.Errorf("sockets %v, %v; want none of the probe", own, err)
			}
			if _, err := p.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			// A program that is ended by a signal leaves its sockets; the next start would find them in use.
			for _, l := range own {
				if _, err := os.Lstat(l.Socket); l.Socket[0] != '@' && !os.IsNotExist(err) {
					t.Errorf("%s is left: %v", l.Socket, err)
				}
			}
		})
	}
}

// A file that was there before is not hone's to remove.
func TestStaleSocket(t *testing.T) {
	leaktest.None(t)
	path := filepath.Join(shortDir(t), "it's.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	_, err = Start(t.Context(), server(t, path), withGuard(onSocket(t, path)))
	failtest.Want(t, err, fail.Subject, "address already in use", "an earlier program left the file", `rm '`,
		"write {socket}")
	if _, err := os.Lstat(path); err != nil {
		t.Fatalf("hone removed a file that it did not make: %v", err)
	}
	// Most programs remove it themselves.
	b := server(t, path)
	b.Variant.Env = []string{"UNLINK=1"}
	p := start(t, b, onSocket(t, path))
	if _, err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the program's own file is left: %v", err)
	}
}

func TestSocketIsTaken(t *testing.T) {
	leaktest.None(t)
	path := filepath.Join(shortDir(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = Start(t.Context(), server(t, path), withGuard(onSocket(t, path)))
	failtest.Want(t, err, fail.Subject, "socket of target "+path+" is taken", "PID "+strconv.Itoa(os.Getpid()),
		"let hone choose a free path")
}

// Another process takes the path between the start and the first connection: the load must not go there.
func TestSocketOfAStranger(t *testing.T) {
	leaktest.None(t)
	dir := shortDir(t)
	path := filepath.Join(dir, "s")
	stranger := start(t, server(t, filepath.Join(dir, "before")), onSocket(t, filepath.Join(dir, "before")))
	o := onSocket(t, path)
	o.ReadyTimeout = 300 * time.Millisecond
	moved := make(chan error, 1)
	b := role(t, "hang")
	p, err := newPrepared(b, withGuard(o), templates.FreePort).begin(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	go func() { moved <- os.Rename(stranger.Address(), path) }()
	_, err = p.awaitReady(t.Context())
	if err := <-moved; err != nil {
		t.Fatal(err)
	}
	failtest.Want(t, err, fail.Subject, "is taken", "PID "+strconv.Itoa(stranger.PID()))
	if _, err := p.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestSocketPathIsTooLong(t *testing.T) {
	long := filepath.Join(shortDir(t), strings.Repeat("d", sockets.LongestPath))
	_, err := Start(t.Context(), server(t, long), withGuard(onSocket(t, long)))
	failtest.Want(t, err, fail.BadInput, "are possible", "{socket}")
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	o := onSocket(t, "{socket}")
	o.DataDir = long
	_, err = Start(t.Context(), server(t, "{socket}"), withGuard(o))
	failtest.Want(t, err, fail.Environment, "make a path for {socket}", "TMPDIR")
}

// The path of a socket is the same in every network namespace.
func TestIsolatedProgramsShareSockets(t *testing.T) {
	if err := guard.CanIsolate(t.Context(), helperGuard()); err != nil {
		t.Skip(err)
	}
	leaktest.None(t)
	o := StartOptions{Resources: Resources{Isolate: true}}
	_, err := Start(t.Context(), server(t, filepath.Join(shortDir(t), "s")), withGuard(o))
	failtest.Want(t, err, fail.BadInput, "Unix socket", "write {socket}")
}

func TestKilledProgramLeavesNoSocket(t *testing.T) {
	leaktest.None(t)
	path := filepath.Join(shortDir(t), "s")
	for range 2 { // the second start would fail
		p := start(t, server(t, path), onSocket(t, path))
		endProcess(t, p.PID())
		<-p.Done()
		if err := p.Exit(); fail.ExitCode(err) != int(fail.Subject) ||
			!strings.Contains(err.Error(), syscall.SIGKILL.String()) {
			t.Errorf("exit: %v", err)
		}
		if _, err := p.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

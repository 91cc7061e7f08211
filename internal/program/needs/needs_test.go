package needs

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// The test executable is also the guard, the needs and a stand-in for hone, by its first argument.
const rolePrefix = "run-needs:"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	if len(os.Args) > 1 {
		switch strings.TrimPrefix(os.Args[1], rolePrefix) {
		case "guard":
			os.Exit(guard.Run())
		case "serve":
			serve(os.Args[2:])
		case "hone":
			beHone()
		}
	}
	goleak.VerifyTestMain(m)
}

// serve listens on addresses; DEAF ignores TERM. USR1 ends it with an error. UNMARKED takes hone's mark from its
// environment: another hone that starts on this machine would end it (lifetime.EndOrphans), and not its guards.
func serve(addresses []string) {
	if os.Getenv("UNMARKED") != "" {
		fmt.Fprintln(os.Stderr, syscall.Exec(os.Args[0], os.Args, []string{"DEAF=" + os.Getenv("DEAF")}))
		os.Exit(4)
	}
	if os.Getenv("DEAF") != "" {
		signal.Ignore(syscall.SIGTERM)
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	for _, address := range addresses {
		network := "tcp"
		if address[0] == '/' {
			network = "unix"
		}
		if _, err := net.Listen(network, address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
	}
	<-asked
	fmt.Fprintln(os.Stderr, "disk full")
	os.Exit(9)
}

// beHone starts two needs, one of which ignores TERM, says their PIDs, and waits.
func beHone() {
	s, err := Start(context.Background(), []Need{
		{Name: "db", Command: command("127.0.0.1:{port}"), Env: []string{"UNMARKED=1", "DEAF=1"}},
		{Name: "web", Command: command("{socket}"), Env: []string{"UNMARKED=1"}},
	}, Options{Guard: guardCommand(), TempDir: os.Args[2]})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for _, f := range s.Facts() {
		fmt.Print(f.PID, " ")
	}
	fmt.Println()
	time.Sleep(time.Hour)
}

func guardCommand() []string { return []string{os.Args[0], rolePrefix + "guard"} }

func command(addresses ...string) []string {
	return append([]string{os.Args[0], rolePrefix + "serve"}, addresses...)
}

func options(t *testing.T) Options {
	t.Helper()
	dir, err := os.MkdirTemp("", "n") // short: see unix(7)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return Options{Guard: guardCommand(), TempDir: dir, Grace: time.Second}
}

func start(t *testing.T, o Options, all ...Need) *Set {
	t.Helper()
	s, err := Start(t.Context(), all, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func wantFail(t *testing.T, err error, kind fail.Kind, parts ...string) {
	t.Helper()
	if fail.ExitCode(err) != int(kind) {
		t.Fatalf("kind %d, want %d: %v", fail.ExitCode(err), kind, err)
	}
	for _, part := range parts {
		if all := err.Error() + "\nhint: " + fail.HintOf(err); !strings.Contains(all, part) {
			t.Errorf("no %q in: %s", part, all)
		}
	}
}

func TestNamesOfNeeds(t *testing.T) {
	o := options(t)
	o.Names = map[string]string{"{old.port}": "1"}
	var said []string
	o.Say = func(n Need) { said = append(said, n.Name) }
	s := start(t, o,
		Need{Name: "db", Command: command("127.0.0.1:{port}", "127.0.0.1:{port2}"), Env: []string{"DATA={dir}"}},
		Need{Name: "by-itself", Command: command("127.0.0.1:0")},
		Need{Name: "socket", Command: append(command("{socket}"), "127.0.0.1:{old.port}1{db.port2}")[:3],
			Env: []string{"X={db.port}"}})
	names := s.Names()
	if !slices.Equal(said, []string{"db", "by-itself", "socket"}) || names["{old.port}"] != "1" {
		t.Errorf("said %v, names %v", said, names)
	}
	for _, template := range []string{"{db.port}", "{db.port2}", "{by-itself.port}"} {
		c, err := net.Dial("tcp", "127.0.0.1:"+names[template])
		if err != nil {
			t.Errorf("%s is %q: %v", template, names[template], err)
			continue
		}
		c.Close()
	}
	if c, err := net.Dial("unix", names["{socket.socket}"]); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	if info, err := os.Stat(names["{db.dir}"]); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	if cpu := s.CPU(false); len(cpu) != 3 || cpu[0] <= 0 || s.CPU(true)[0] < cpu[0] {
		t.Errorf("CPU time %v", cpu)
	}
	if s.Died() != nil {
		t.Error(s.Died())
	}
	if warnings, err := s.Stop(t.Context()); err != nil || warnings != nil {
		t.Errorf("%v, %v", warnings, err)
	}
	<-s.Ended()
	if s.Died() != nil {
		t.Errorf("what was stopped has not died: %v", s.Died())
	}
	if _, err := os.Stat(names["{db.dir}"]); !os.IsNotExist(err) {
		t.Errorf("its directory is left: %v", err)
	}
	var none *Set
	if _, err := none.Stop(t.Context()); none.Died() != nil || none.CPU(true) != nil || none.Names() != nil ||
		none.Facts() != nil || err != nil {
		t.Error("no set")
	}
}

func TestNeedsThatFail(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	// the socket is there as long as it lives
	good := Need{Name: "good", Command: command("127.0.0.1:{port}", "{socket}")}
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	for _, c := range []struct {
		need  Need
		kind  fail.Kind
		parts []string
	}{
		{Need{Command: command(), ReadyTimeout: 100 * time.Millisecond}, fail.Subject,
			[]string{"need db did not listen on any TCP port or Unix socket within 100ms"}},
		{Need{Command: command(), Ready: "log:up", ReadyTimeout: 100 * time.Millisecond}, fail.Subject,
			[]string{"need db was not ready within 100ms: waited for log:up", "ready-timeout of the need"}},
		{Need{Command: command(taken.Addr().String())}, fail.Subject,
			[]string{"need db ended with exit code 3 before it was ready", "address already in use"}},
		{Need{Command: command(taken.Addr().String()), Ready: "port:" + port}, fail.Subject,
			[]string{"start need db: port:" + port + " is taken"}},
		{Need{Command: []string{"./none"}, Dir: "/"}, fail.Environment,
			[]string{`need db: there is no command "./none"`, "from /"}},
		{Need{Command: command("127.0.0.1:{cache.port}")}, fail.BadInput,
			[]string{"there is no need called cache", "{good.port}"}},
	} {
		c.need.Name = "db"
		o := options(t)
		_, err := Start(t.Context(), []Need{good, c.need}, o)
		wantFail(t, err, c.kind, c.parts...)
		if left, err := os.ReadDir(o.TempDir); err != nil || len(left) > 0 {
			t.Errorf("%q: the need before it is left: %v, %v", c.parts, left, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Start(ctx, []Need{good}, options(t))
	wantFail(t, err, fail.Interrupted)
}

func TestNeedThatEnds(t *testing.T) {
	s := start(t, options(t), Need{Name: "good", Command: command("127.0.0.1:{port}")},
		Need{Name: "db", Command: command("127.0.0.1:{port}")})
	if err := syscall.Kill(s.Facts()[1].PID, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	<-s.Ended()
	wantFail(t, s.Died(), fail.Subject, "need db ended with exit code 9 by itself", "disk full")
	if len(s.CPU(false)) != 2 || len(s.Facts()) != 2 {
		t.Error("what a need that has ended used is not known")
	}
}

func TestNeedThatIgnoresTERM(t *testing.T) {
	o := options(t)
	o.Grace = 50 * time.Millisecond
	s := start(t, o, Need{Name: "db", Command: command("127.0.0.1:{port}"), Env: []string{"DEAF=1"}})
	warnings, err := s.Stop(t.Context())
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "need db did not end within ") {
		t.Errorf("%q, %v", warnings, err)
	}
}

// A hone that is killed leaves no need behind: the guards end them.
func TestNothingIsLeftOfAKilledHone(t *testing.T) {
	o := options(t)
	cmd := exec.Command(os.Args[0], rolePrefix+"hone", o.TempDir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pids := strings.Fields(line)
	if err != nil || len(pids) != 2 {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("PID %d is left", pid)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	good := []string{"x"}
	for _, c := range []struct {
		all  []Need
		part string
	}{
		{[]Need{{Name: "a b", Command: good}}, `"a b" is not a name`},
		{[]Need{{Name: "a", Command: good}, {Name: "a", Command: good}}, "two needs have this name"},
		{[]Need{{Name: "a"}}, "no command"},
		{[]Need{{Name: "a", Command: []string{"x", "{a.port}"}}}, "{a.port}: no need called a is started before"},
		{[]Need{{Name: "a", Command: good, Each: true}, {Name: "b", Command: good, Env: []string{"X={a.socket}"}}},
			"started afresh for each start"},
		{[]Need{{Name: "a", Command: good, Ready: "soon"}}, "names no way to be ready"},
		{[]Need{{Name: "a", Command: good, ReadyTimeout: -1}}, "its ready-timeout is -1ns"},
	} {
		wantFail(t, Check(c.all), fail.BadInput, c.part)
	}
	if err := Check([]Need{{Name: "a", Command: []string{"x", "{port}"}},
		{Name: "b", Command: []string{"{a.dir}"}, Each: true, Ready: "port:{a.port}"}}); err != nil {
		t.Error(err)
	}
}

func TestRedacted(t *testing.T) {
	n := Need{Name: "db", Command: []string{"db", "-password=S3CRET"},
		Env: []string{"API_KEY=S3CRET", "MODE=fast"}}.Redacted(redact.Env{Key: []byte("k")})
	if text := fmt.Sprint(n); strings.Contains(text, "S3CRET") || !strings.Contains(text, "API_KEY=hmac:") ||
		!strings.Contains(text, "MODE=fast") {
		t.Error(text)
	}
}

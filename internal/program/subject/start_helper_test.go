package subject

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// The test executable is also the guard, the subjects and a stand-in for hone. It
// turns into one of them by its first argument, before any test runs.
const rolePrefix = "run-helper:"

func TestMain(m *testing.M) {
	// The race detector would make each of the children linger for a second at its end.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], rolePrefix) {
		play(strings.TrimPrefix(os.Args[1], rolePrefix), os.Args[2:])
	}
	os.Exit(m.Run())
}

// play is a helper process; it does not return.
func play(role string, args []string) {
	switch role {
	case "guard":
		os.Exit(guard.Run())
	case "serve":
		runServer(args)
	case "orphan":
		runOrphanParent()
	case "slow":
		runSlow(args[0], args[1])
	case "burner":
		fmt.Print(burn(burnerMillis))
	case "burner-parent": // leaves its child to who takes orphans
		cmd := exec.Command(os.Args[0], rolePrefix+"burner")
		cmd.Stdout = os.Stdout
		_ = cmd.Start()
	case "sleeper":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "hone":
		runHone(args)
	case "hone-build":
		runHoneBuild(args)
	case "crash":
		fmt.Fprintln(os.Stderr, "first line\npanic: no configuration\n\ngoroutine 1 [running]:")
		os.Exit(7)
	case "hang":
		time.Sleep(time.Hour)
	default:
		fmt.Fprintln(os.Stderr, "unknown role", role)
		os.Exit(99)
	}
	os.Exit(0)
}

// runServer serves commands, one per line, on each of the addresses. Before that it
// writes FLOOD bytes to stdout.
func runServer(addresses []string) {
	if os.Getenv("IGNORE_TERM") != "" {
		signal.Ignore(syscall.SIGTERM)
	}
	if os.Getenv("DRAIN") != "" {
		go drain()
	}
	if n, _ := strconv.Atoi(os.Getenv("FLOOD")); n > 0 {
		flood(os.Stdout, n)
	}
	for _, addr := range addresses {
		network := "tcp"
		if strings.ContainsAny(addr[:1], "/@.") {
			network = "unix"
		}
		if os.Getenv("UNLINK") != "" {
			os.Remove(addr)
		}
		l, err := net.Listen(network, addr)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				openConns.Add(1)
				go serveCommands(c)
			}
		}()
	}
	time.Sleep(time.Hour)
}

// openConns are the connections that the server has not closed.
var openConns atomic.Int64

// closeTakes is how long a server with DRAIN takes to close a connection whose client has gone.
const closeTakes = 20 * time.Millisecond

// drain ends the server at TERM. If a connection is open then, the server stays for ever.
func drain() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	<-asked
	if openConns.Load() == 0 {
		os.Exit(0)
	}
}

// slowTime is how long runSlow takes to be ready.
const slowTime = 200 * time.Millisecond

// runSlow listens at once, and is ready later in every way that it can show: by HTTP, files, another port and a socket,
// and lines of its output.
func runSlow(address, dir string) {
	began := time.Now()
	up := func() bool { return time.Since(began) >= slowTime }
	http.HandleFunc("/ready", func(w http.ResponseWriter, _ *http.Request) {
		if !up() {
			w.WriteHeader(503)
		}
	})
	http.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) {
		if up() {
			w.WriteHeader(204)
		}
	})
	http.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) {
		if up() {
			w.WriteHeader(404)
		}
	})
	http.HandleFunc("/missing", http.NotFound)
	l, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	go func() { _ = http.Serve(l, nil) }()
	fmt.Println("making tables")
	time.Sleep(slowTime)
	for _, path := range []string{filepath.Join(dir, "ready"), "ready"} {
		_ = os.WriteFile(path, nil, 0o600)
	}
	if a := os.Getenv("LATE_PORT"); a != "" {
		_, _ = net.Listen("tcp", a)
	}
	if a := os.Getenv("LATE_SOCKET"); a != "" {
		_, _ = net.Listen("unix", a)
	}
	fmt.Printf("ready after %dms\n", slowTime.Milliseconds())
	fmt.Fprint(os.Stderr, "prompt without an end")
	time.Sleep(time.Hour)
}

func serveCommands(c net.Conn) {
	defer func() {
		if os.Getenv("DRAIN") != "" {
			time.Sleep(closeTakes) // this server's own pace, not a wait for something
		}
		openConns.Add(-1)
		c.Close()
	}()
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		word, arg, _ := strings.Cut(lines.Text(), " ")
		n, _ := strconv.Atoi(arg)
		var answer any = "?"
		switch word {
		case "env":
			answer = os.Getenv(arg)
		case "dir":
			answer, _ = os.Getwd()
		case "pid":
			answer = os.Getpid()
		case "cpus":
			cpus, _ := affinity.AllowedCPUs()
			answer = fmt.Sprint(cpus)
		case "nonblocking":
			flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, 1, syscall.F_GETFL, 0)
			answer = flags&syscall.O_NONBLOCK != 0
		case "fds":
			fds, _ := os.ReadDir("/proc/self/fd")
			answer = len(fds)
		case "burn":
			answer = burn(n)
		case "calls":
			null, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
			for range n {
				_, _ = syscall.Write(int(null.Fd()), []byte("x"))
			}
			null.Close()
			answer = n
		case "orphan":
			answer = makeOrphan()
		case "children":
			answer = runChildren(n, rolePrefix+"burner", true)
		case "zombies":
			answer = runChildren(n, rolePrefix+"burner", false)
		case "grandchildren":
			answer = runChildren(n, rolePrefix+"burner-parent", true)
		case "flood":
			flood(os.Stdout, n)
			answer = n
		case "panic":
			panic("asked to")
		case "exit":
			fmt.Fprintln(os.Stderr, "going now")
			os.Exit(n)
		case "ballast": // MiB that it keeps
			ballast = append(ballast, bytes.Repeat([]byte{1}, n<<20))
		case "kill":
			_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
		}
		fmt.Fprintln(c, answer)
	}
}

var ballast [][]byte

func flood(w io.Writer, n int) {
	block := []byte(strings.Repeat("0123456789abcde\n", 4096))
	for n > 0 {
		m, err := w.Write(block[:min(n, len(block))])
		if err != nil {
			return
		}
		n -= m
	}
}

// burn uses CPU time until the process has used ms milliseconds more of it, and
// returns what the process has used in all, in nanoseconds.
func burn(ms int) int64 {
	used := func() int64 {
		var ru syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
		return ru.Utime.Nano() + ru.Stime.Nano()
	}
	for until := used() + int64(ms)*1e6; used() < until; {
		for i, x := 0, 1; i < 10_000; i++ {
			x = x*31 + i
		}
	}
	return used()
}

// makeOrphan starts a process that ends at once, leaving a child of its own that is
// in a session of its own, ignores TERM and holds stdout. It returns its PID.
func makeOrphan() int {
	cmd := exec.Command(os.Args[0], rolePrefix+"orphan")
	cmd.ExtraFiles = []*os.File{os.Stdout}
	out, err := cmd.Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	return pid
}

// burnerMillis is the CPU time of a child.
const burnerMillis = 120

// runChildren runs children one after the other, waits for the end of each or leaves it a zombie, and returns what
// they say that they used, in nanoseconds.
func runChildren(n int, role string, wait bool) (sum int64) {
	for range n {
		cmd := exec.Command(os.Args[0], role)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 0
		}
		said, _ := io.ReadAll(out)
		used, _ := strconv.ParseInt(string(said), 10, 64)
		sum += used
		if wait {
			_ = cmd.Wait()
		}
	}
	return sum
}

func runOrphanParent() {
	cmd := exec.Command(os.Args[0], rolePrefix+"sleeper")
	cmd.Stdout = os.NewFile(3, "stdout")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Println(cmd.Process.Pid)
}

// runHone starts a stubborn subject with an orphan, prints the PIDs of backup, guard,
// subject and orphan, and waits for its end. A second argument is the grace.
func runHone(args []string) {
	b := &build.Binary{Path: os.Args[0], Variant: build.Variant{
		Args: []string{rolePrefix + "serve", "127.0.0.1:{port}"}, Env: []string{"IGNORE_TERM=1"},
	}}
	o := StartOptions{Guard: helperGuard(), Readiness: Readiness{Target: "127.0.0.1:{port}"}}
	o.Isolate = args[0] == "isolated"
	if args[0] == "boxed" {
		o.Box = cgroup.Limits{CPUs: 1, Memory: 128 << 20}
	}
	o.Grace, _ = time.ParseDuration(args[1])
	p, err := Start(context.Background(), b, o)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	orphan, err := ask(context.Background(), p, "orphan")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(p.client.PID(), p.guardPID(), p.PID(), orphan)
	time.Sleep(time.Hour)
}

// runHoneBuild builds the module in a directory with its own tool as -toolexec.
func runHoneBuild(args []string) {
	dir := args[0]
	_, err := build.Program(context.Background(),
		build.Variant{Name: "A", Source: ".", BuildFlags: []string{"-toolexec=" + filepath.Join(dir, "tool")}},
		build.Options{Source: source.Options{WorkDir: dir}, OutDir: filepath.Join(dir, "out")})
	fmt.Println(err)
}

func helperGuard() []string { return []string{os.Args[0], rolePrefix + "guard"} }

// built builds a variant.
func built(t *testing.T, v build.Variant, workDir, out string) *build.Binary {
	t.Helper()
	o := build.Options{Source: source.Options{WorkDir: workDir, Worktrees: filepath.Join(out, "worktrees")},
		OutDir: out}
	b, err := build.Program(t.Context(), v, o)
	if err != nil {
		t.Fatalf("%v\nhint: %s", err, fail.HintOf(err))
	}
	return b
}

// server is a subject that serves on addresses.
func server(t *testing.T, addresses ...string) *build.Binary {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &build.Binary{Path: exe, Variant: build.Variant{
		Name: "A", Args: append([]string{rolePrefix + "serve"}, addresses...),
	}}
}

// role is a subject that plays another role.
func role(t *testing.T, name string) *build.Binary {
	b := server(t)
	b.Variant.Args[0] = rolePrefix + name
	return b
}

// start starts b and stops it with the test.
func start(t *testing.T, b *build.Binary, o StartOptions) *Process {
	t.Helper()
	p, err := Start(t.Context(), b, withGuard(o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := p.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func withGuard(o StartOptions) StartOptions {
	o.Guard = helperGuard()
	return o
}

// ask sends one command to the subject and returns the answer.
func ask(ctx context.Context, p *Process, command string) (string, error) {
	c, err := p.Dial(ctx)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := fmt.Fprintln(c, command); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(answer), err
}

// tell is ask for commands that must be answered.
func tell(t *testing.T, p *Process, command string) string {
	t.Helper()
	answer, err := ask(t.Context(), p, command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return answer
}

// command is tell for commands that end the subject: no answer is expected.
func command(t *testing.T, p *Process, text string) {
	t.Helper()
	if _, err := ask(t.Context(), p, text); err != nil && !errors.Is(err, io.EOF) &&
		!errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("%s: %v", text, err)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// living are those of the processes that have not ended.
func living(pids []int) []int {
	return slices.DeleteFunc(slices.Clone(pids), func(pid int) bool { _, alive := processes.Name(pid); return !alive })
}

func endProcess(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

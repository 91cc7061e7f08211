package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/framed"
)

// asProgram in the environment makes the test binary be the program.
const asProgram = "FRAMED_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// The program says where it listens, serves, and ends in order on either signal,
// with exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) {
	for _, stage := range framed.Stages {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(stage.Name+", "+signal.String(), func(t *testing.T) {
				serveUntil(t, stage.Name, signal)
			})
		}
	}
}

func serveUntil(t *testing.T, stage string, signal os.Signal) {
	cmd := program(t, "-stage", stage, "-addr", "127.0.0.1:0")
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stderr := bufio.NewReader(pipe)
	line, err := stderr.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(line, "msg=listening") || !strings.Contains(line, "stage="+stage) {
		t.Errorf("first line is %q, want where it listens and the stage", line)
	}
	addr := regexp.MustCompile(`addr=(\S+)`).FindStringSubmatch(line)
	if addr == nil {
		t.Fatalf("first line has no address: %q", line)
	}

	// The client ends its side, so that the stage that withholds answers gives them too.
	conn, err := net.Dial("tcp", addr[1])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	request := framed.AppendRequest(nil, framed.Submit{Command: framed.CommandSubmit, ID: framed.ID([]byte("00000001"))})
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); err != nil || len(got) != framed.AckSize {
		t.Errorf("got %x, %v, want one answer", got, err)
	}

	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stderr)
	if err != nil || len(rest) != 0 {
		t.Errorf("more on stderr, %v:\n%s", err, rest)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("end: %v, want exit code 0", err)
	}
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, tc := range map[string]struct {
		args []string
		code int
		want string
	}{
		"unknown stage":       {[]string{"-stage", "fast"}, exitUsage, `unknown stage \"fast\" (known: raw, `},
		"unknown flag":        {[]string{"-port", "1"}, exitUsage, "flag provided but not defined: -port"},
		"argument":            {[]string{"batched"}, exitUsage, `unexpected argument \"batched\"`},
		"negative limit":      {[]string{"-max-conns", "-1"}, exitUsage, "max conns is -1"},
		"address of no form":  {[]string{"-addr", "nonsense"}, exitFailed, "missing port in address"},
		"port taken":          {[]string{"-addr", taken.Addr().String()}, exitFailed, "listen tcp " + taken.Addr().String()},
		"metrics port taken":  {[]string{"-addr", "127.0.0.1:0", "-metrics", taken.Addr().String()}, exitFailed, "serve metrics: listen tcp " + taken.Addr().String()},
		"timeout of no form":  {[]string{"-idle-timeout", "soon"}, exitUsage, "idle-timeout"},
		"two faults, one end": {[]string{"-stage", "fast", "-max-conns", "-1"}, exitUsage, "max conns is -1"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := program(t, tc.args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != tc.code {
				t.Errorf("end: %v, want exit code %d", err, tc.code)
			}
			if !strings.Contains(stderr.String(), tc.want) || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("stderr is\n%swant one line with %q", stderr.String(), tc.want)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout is %q, want nothing", stdout.String())
			}
		})
	}
}

func TestHelpNamesTheStages(t *testing.T) {
	out, err := program(t, "-help").CombinedOutput()
	if err != nil {
		t.Errorf("-help: %v, want exit code 0", err)
	}
	for _, stage := range framed.Stages {
		if !strings.Contains(string(out), stage.Name) {
			t.Errorf("-help does not name %q:\n%s", stage.Name, out)
		}
	}
}

// Asked to, the program shows its counters and its profiles, and says where.
func TestCanBeWatched(t *testing.T) {
	cmd := program(t, "-addr", "127.0.0.1:0", "-metrics", "127.0.0.1:0", "-pprof", "127.0.0.1:0")
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stderr := bufio.NewReader(pipe)
	addr := make(map[string]string)
	for _, what := range []string{"listening", "serving metrics", "serving pprof"} {
		line, err := stderr.ReadString('\n')
		found := regexp.MustCompile(`msg="?([^"]*?)"? addr=(\S+)`).FindStringSubmatch(line)
		if err != nil || found == nil || found[1] != what {
			t.Fatalf("stderr says %q, %v, want %s and where", line, err, what)
		}
		addr[what] = found[2]
	}
	client, err := framed.Dial(t.Context(), addr["listening"])
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Conn(t.Context(), framed.ID([]byte("00000001"))); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		addr["serving metrics"] + "/metrics":                     "framed_client_connected 1\n",
		addr["serving pprof"] + "/debug/pprof/goroutine?debug=1": "framed.(*Server).Serve",
		addr["serving pprof"] + "/debug/pprof/allocs?debug=1":    "heap profile",
		addr["serving pprof"] + "/debug/pprof/cmdline":           "-metrics",
	} {
		if page := get(t, "http://"+url); !strings.Contains(page, want) {
			t.Errorf("%s lacks %q:\n%s", url, want, page)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(stderr); err != nil || len(rest) != 0 {
		t.Errorf("more on stderr, %v:\n%s", err, rest)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("end: %v, want exit code 0", err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	page, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", url, r.Status, err)
	}
	return string(page)
}

// The program is a subject like any other: of hone it brings the raw sockets, which know
// nothing of it, and nothing else.
func TestImportsNothingOfHone(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command to list imports")
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	const module = "github.com/gohone/hone/"
	const own, sockets = module + "services/framed", module + "internal/epoll"
	seen := false
	for pkg := range strings.Lines(string(out)) {
		pkg = strings.TrimSpace(pkg)
		seen = seen || pkg == own
		if strings.HasPrefix(pkg, module) && !strings.HasPrefix(pkg, own) && !strings.HasPrefix(pkg, module+"services/internal/") && pkg != sockets {
			t.Errorf("the program imports %s", pkg)
		}
	}
	if !seen {
		t.Errorf("go list does not name %s:\n%s", own, out)
	}
}

// The server by itself does not bring what only the program needs.
func TestServerNeedsNoMetrics(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command to list imports")
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "github.com/gohone/hone/services/framed").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for pkg := range strings.Lines(string(out)) {
		if strings.HasPrefix(pkg, "net/http") || strings.Contains(pkg, "prometheus") {
			t.Errorf("package framed imports %s", pkg)
		}
	}
}

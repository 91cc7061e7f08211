//go:build unix

package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// The program under test is built once: testdata/subject with the probe in an overlay.
var buildSubject = sync.OnceValues(func() (string, error) {
	out, err := os.MkdirTemp("", "probe-test-")
	if err != nil {
		return "", err
	}
	buildDir = out
	module, err := filepath.Abs("testdata/subject")
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, text := range Sources() {
		file := filepath.Join(out, name)
		replace[filepath.Join(module, "hone_"+name)] = file
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	bin := filepath.Join(out, "subject")
	build := exec.Command("go", "build", "-overlay", filepath.Join(out, "overlay.json"), "-o", bin, ".")
	build.Dir = module
	err = os.WriteFile(filepath.Join(out, "overlay.json"), overlay, 0o600)
	if err != nil {
		return "", err
	}
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, text)
	}
	return bin, nil
})

var buildDir string // of buildSubject, once it ran

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// subject is a running program under test.
type subject struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.Closer
	stdout *bufio.Reader
	stderr bytes.Buffer
	socket string
}

// start runs the program; socket "" leaves the variable unset. The socket of a
// program that has printed its first line is open.
func start(t *testing.T, socket string, command ...string) *subject {
	t.Helper()
	bin, err := buildSubject()
	if err != nil {
		t.Fatal(err)
	}
	for i := range command {
		command[i] = strings.ReplaceAll(command[i], "SUBJECT", bin)
	}
	s := &subject{t: t, cmd: exec.Command(command[0], command[1:]...), socket: socket}
	s.cmd.Path, err = exec.LookPath(command[0])
	if err != nil {
		t.Fatal(err)
	}
	if socket != "" {
		s.cmd.Env = append(os.Environ(), SocketVariable+"="+socket)
	}
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.stdout = bufio.NewReader(out)
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	return s
}

func (s *subject) line() string {
	s.t.Helper()
	line, err := s.stdout.ReadString('\n')
	if err != nil {
		s.t.Fatalf("read the program's output: %v\n%s", err, s.stderr.String())
	}
	return strings.TrimSpace(line)
}

// end closes the program's input, which ends it, and returns its exit code.
func (s *subject) end() int {
	s.t.Helper()
	s.stdin.Close()
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return s.cmd.ProcessState.ExitCode()
}

func (s *subject) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", s.socket)
		},
	}}
}

func (s *subject) get(page string) (int, []byte) {
	s.t.Helper()
	answer, err := s.client().Get("http://probe" + page)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, body
}

// raw sends bytes and returns all that comes back.
func (s *subject) raw(request string) string {
	s.t.Helper()
	conn, err := net.Dial("unix", s.socket)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	// The probe may answer and close before it has read all of a request too large.
	_, _ = io.WriteString(conn, request)
	_ = conn.(*net.UnixConn).CloseWrite()
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func newSocket(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hp") // t.TempDir is too long a path for a socket on macOS
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "probe")
}

func TestWithoutTheVariableNothingRuns(t *testing.T) {
	s := start(t, "", "SUBJECT")
	if got := s.line(); got != "goroutines 1" {
		t.Errorf("%s without the variable, want 1", got)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s = start(t, newSocket(t), "SUBJECT")
	if got := s.line(); got != "goroutines 2" {
		t.Errorf("%s with the variable, want 2: the program's and the probe's", got)
	}
}

// The sockets of a program and of its child are the user's alone even under umask 0, their
// directory holds nothing else, and the program ends when it wants to.
func TestSocketIsPrivate(t *testing.T) {
	s := start(t, newSocket(t), "sh", "-c", `umask 000; exec "$0"`, "SUBJECT")
	s.line()
	info, err := os.Stat(s.socket)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("mode %v, want a socket with 0600", info.Mode())
	}
	child, found := strings.CutPrefix(s.line(), "child "+info.Mode().String()+" ")
	if !found || !strings.HasPrefix(child, s.socket+".") {
		t.Errorf("%s, want a socket of mode %v at %s.PID", child, info.Mode(), s.socket)
	}
	if around, err := os.ReadDir(filepath.Dir(s.socket)); err != nil || len(around) != 2 {
		t.Errorf("the directory holds %v %v, want the two sockets alone", around, err)
	}
	if code := s.end(); code != 0 || s.stderr.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, s.stderr.String())
	}
}

func TestPanicOfTheProgramIsItsOwn(t *testing.T) {
	s := start(t, newSocket(t), "SUBJECT", "panic")
	s.line()
	if code := s.end(); code != 2 || !strings.Contains(s.stderr.String(), "the program's own fault") {
		t.Errorf("exit code %d, stderr %q", code, s.stderr.String())
	}
}

func TestSocketThatCannotBeOpened(t *testing.T) {
	taken := newSocket(t)
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{taken, "/no/such/directory/s", filepath.Join(t.TempDir(), strings.Repeat("n/", 80))} {
		s := start(t, path, "SUBJECT")
		s.line()
		if code := s.end(); code != 0 {
			t.Errorf("exit code %d: the program has to go on", code)
		}
		if text := s.stderr.String(); !strings.HasPrefix(text, "hone probe: ") || strings.Count(text, "\n") != 1 {
			t.Errorf("stderr %q, want one line", text)
		}
	}
	if kept, err := os.ReadFile(taken); err != nil || string(kept) != "mine" {
		t.Errorf("the file in the way is now %q %v", kept, err)
	}
}

func TestPages(t *testing.T) {
	s := start(t, newSocket(t), "SUBJECT")
	s.line()
	s.line() // the child's line: all memory is kept by now
	t.Run("ping", func(t *testing.T) {
		if code, body := s.get("/ping"); code != 200 || string(body) != "hone probe 2\n" {
			t.Errorf("%d %q", code, body)
		}
	})
	t.Run("buildinfo", func(t *testing.T) {
		_, body := s.get("/buildinfo")
		var info struct {
			Protocol, PID, GOMAXPROCS int
			NumCPU                    int    `json:"num_cpu"`
			GoVersion                 string `json:"go_version"`
			Module, Build             string
		}
		if err := json.Unmarshal(body, &info); err != nil {
			t.Fatal(err)
		}
		build, err := debug.ParseBuildInfo(info.Build)
		if err != nil || build.Path != "example.com/subject" {
			t.Errorf("build %+v %v", build, err)
		}
		if info.Protocol != ProtocolVersion || info.PID != s.cmd.Process.Pid || info.GOMAXPROCS < 1 ||
			info.NumCPU != runtime.NumCPU() || info.GoVersion != runtime.Version() || info.Module != "example.com/subject" {
			t.Errorf("%+v", info)
		}
	})
	t.Run("metrics", func(t *testing.T) { checkMetrics(t, s) })
	t.Run("cpu profile", func(t *testing.T) {
		code, body := s.get("/pprof/cpu?seconds=0.5")
		if code != 200 {
			t.Fatalf("%d %q", code, body)
		}
		if p := parse(t, body); !names(p, "main.burn") || p.DurationNanos < int64(500*time.Millisecond) {
			t.Errorf("%v", p)
		}
	})
	t.Run("flight", func(t *testing.T) {
		for _, step := range []struct {
			page   string
			code   int
			prefix string
		}{
			{"/flight", 409, "no flight recorder is running"},
			{"/flight/start?seconds=0.1", 200, "ok"},
			{"/flight/start", 409, ""},
			{"/flight", 200, "go 1."},
			{"/flight", 200, "go 1."},
			{"/flight/stop", 200, "ok"},
			{"/flight/stop", 409, "no flight recorder is running"},
			{"/flight/start?seconds=0", 400, "want seconds"},
			{"/flight/up", 404, "no such page"},
		} {
			if code, body := s.get(step.page); code != step.code || !strings.HasPrefix(string(body), step.prefix) {
				t.Errorf("%s: %d %.60q", step.page, code, body)
			}
		}
	})
	t.Run("trace", func(t *testing.T) {
		if code, body := s.get("/trace?seconds=0.05"); code != 200 || !bytes.HasPrefix(body, []byte("go 1.")) {
			t.Errorf("%d %.40q", code, body)
		}
	})
	t.Run("other profiles", func(t *testing.T) {
		for name, want := range map[string]string{"heap": "main.keepMegabyte", "allocs": "main.keepMegabyte",
			"goroutine": "main.burn", "mutex": "", "block": "", "threadcreate": ""} {
			code, body := s.get("/pprof/" + name + "?gc=1")
			if code != 200 {
				t.Fatalf("%s: %d %q", name, code, body)
			}
			if p := parse(t, body); want != "" && !names(p, want) {
				t.Errorf("%s: no %s in %v", name, want, p)
			}
		}
		if code, body := s.get("/pprof/goroutine?debug=2"); code != 200 || !bytes.Contains(body, []byte("goroutine 1 [")) {
			t.Errorf("%d %q", code, body)
		}
	})
	t.Run("rates", func(t *testing.T) {
		for _, step := range [][2]string{{"/rates?block=1000&mutex=7", "0"}, {"/rates", "7"}, {"/rates?mutex=0", "7"}, {"/rates", "0"}} {
			if code, body := s.get(step[0]); code != 200 || string(body) != fmt.Sprintf(`{"mutex_before":%s,"heap_before":524288,"procs_before":%d}`+"\n", step[1], runtime.GOMAXPROCS(0)) {
				t.Errorf("%s: %d %q", step[0], code, body)
			}
		}
		for _, step := range [][2]string{{"/rates?heap=1", "524288"}, {"/rates?heap=-1", "1"}, {"/rates?heap=524288", "1"}} {
			if code, body := s.get(step[0]); code != 200 || !strings.Contains(string(body), `"heap_before":`+step[1]+",") {
				t.Errorf("%s: %d %q, want %s before", step[0], code, body, step[1])
			}
		}
		procs := strconv.Itoa(runtime.GOMAXPROCS(0))
		for _, step := range [][2]string{{"/rates?procs=3", procs}, {"/rates", "3"}, {"/rates?procs=" + procs, "3"}, {"/rates?procs=0", procs}} {
			if code, body := s.get(step[0]); code != 200 || !strings.Contains(string(body), `"procs_before":`+step[1]+"}") {
				t.Errorf("%s: %d %q, want %s before", step[0], code, body, step[1])
			}
		}
	})
	t.Run("gc", func(t *testing.T) {
		before := readMetrics(t, s, "?name=/gc/cycles/forced:gc-cycles")["/gc/cycles/forced:gc-cycles"].Uint64
		if code, body := s.get("/gc"); code != 200 || string(body) != "ok\n" {
			t.Errorf("%d %q", code, body)
		}
		after := readMetrics(t, s, "?name=/gc/cycles/forced:gc-cycles")["/gc/cycles/forced:gc-cycles"].Uint64
		if before == nil || after == nil || *after != *before+1 {
			t.Errorf("forced collections went from %v to %v", before, after)
		}
	})
	t.Run("heap dump", func(t *testing.T) {
		for _, step := range []struct {
			page string
			code int
			want string
		}{
			{"/heapdump?name=dump", 200, `{"protocol":2,"paused_ns":`},
			{"/heapdump?name=dump", 500, "file exists"},
			{"/heapdump?name=..", 500, "exists"},
			{"/heapdump", 400, "want name"}, {"/heapdump?name=/tmp/x", 400, "want name"}, {"/heapdump?name=a/../b", 400, "want name"},
		} {
			if code, body := s.get(step.page); code != step.code || !strings.Contains(string(body), step.want) {
				t.Errorf("%s: %d %q", step.page, code, body)
			}
		}
		path := filepath.Join(filepath.Dir(s.socket), "dump")
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 || info.Size() < 64<<20 {
			t.Errorf("%v %v, want a file of mode 0600 with the program's 64 MB", info, err)
		}
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	})
	t.Run("names", func(t *testing.T) {
		code, body := s.get("/pprof/")
		if names := strings.Fields(string(body)); code != 200 || !slices.Contains(names, "heap") || !slices.Contains(names, "block") {
			t.Errorf("%d %q", code, body)
		}
	})
	t.Run("refusals", func(t *testing.T) {
		for page, want := range map[string]int{
			"/": 404, "/nothing": 404, "/pprof/nothing": 404, "/pprof/heap?debug=x": 400, "/pprof/heap?gc=yes": 400,
			"/pprof/cpu?seconds=0": 400, "/pprof/cpu?seconds=NaN": 400, "/pprof/cpu?seconds=1e9": 400, "/pprof/cpu?seconds=": 400,
			"/pprof/cpu?seconds=1&hz=-1": 400, "/pprof/cpu?seconds=1&hz=20000": 400, "/trace?seconds=61": 400, "/trace?seconds=x": 400,
			"/rates?mutex=x": 400, "/rates?heap=-2": 400, "/rates?block=-2": 400, "/rates?procs=-1": 400, "/rates?procs=x": 400, "/ping?%41": 400,
		} {
			if code, body := s.get(page); code != want || len(body) == 0 {
				t.Errorf("%s: %d %q, want %d", page, code, body, want)
			}
		}
	})
	t.Run("garbage", func(t *testing.T) {
		for request, want := range map[string]string{
			"":                             "HTTP/1.0 400 ",
			"\x00\x01\x02\n\n":             "HTTP/1.0 400 ",
			"GET /ping HTTP/1.0\r\n":       "HTTP/1.0 400 ", // not whole
			"DELETE /gc HTTP/1.0\r\n\r\n":  "HTTP/1.0 405 ",
			"GET /ping HTTP/1.0\r\n\r\n\n": "HTTP/1.0 200 OK\r\n",
		} {
			if got := s.raw(request); !strings.HasPrefix(got, want) {
				t.Errorf("%q: %q, want %q", request, got, want)
			}
		}
		s.raw("GET / HTTP/1.0\r\nX: " + strings.Repeat("x", 1<<20))
		if code, _ := s.get("/ping"); code != 200 {
			t.Errorf("ping after garbage: %d", code)
		}
	})
	if code := s.end(); code != 0 || s.stderr.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, s.stderr.String())
	}
}

// Another rate stands, and the runtime says that it could not be set.
func TestCPUProfileAtAnotherRate(t *testing.T) {
	s := start(t, newSocket(t), "SUBJECT")
	s.line()
	code, body := s.get("/pprof/cpu?seconds=0.2&hz=1000")
	if code != 200 {
		t.Fatalf("%d %q", code, body)
	}
	if p := parse(t, body); p.Period != int64(time.Millisecond) {
		t.Errorf("a tick is %d ns, want 1 ms", p.Period)
	}
	if code := s.end(); code != 0 || !strings.Contains(s.stderr.String(), "cannot set cpu profile rate") {
		t.Errorf("exit code %d, stderr %q", code, s.stderr.String())
	}
}

// One CPU profile at a time; the first one ends when its client goes away.
func TestSecondCPUProfileIsRefused(t *testing.T) {
	s := start(t, newSocket(t), "SUBJECT")
	s.line()
	first, err := net.Dial("unix", s.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if _, err := io.WriteString(first, "GET /pprof/cpu?seconds=3600 HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; { // a profile of our own would get in its way
		_, goroutines := s.get("/pprof/goroutine?debug=2")
		begun = bytes.Contains(goroutines, []byte("honeProbeCPU(")) && bytes.Contains(goroutines, []byte("pprof.profileWriter("))
	}
	if code, body := s.get("/pprof/cpu?seconds=0.01"); code != 409 || !strings.Contains(string(body), "already in use") {
		t.Errorf("%d %q, want 409", code, body)
	}
	first.Close()
	for code := 409; code != 200; { // until the first one has ended
		code, _ = s.get("/pprof/cpu?seconds=0.01")
	}
}

// A program that imports the probe has it too, and does not carry the text of it.
func TestImportedProbe(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "imports")
	if text, err := exec.Command("go", "build", "-o", bin, "./testdata/imports").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	binary, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(binary, []byte("lets hone look inside")) {
		t.Error("the program carries the probe's source")
	}
	s := start(t, newSocket(t), bin)
	s.line()
	if code, body := s.get("/ping"); code != 200 {
		t.Errorf("%d %q", code, body)
	}
}

type metric struct {
	Uint64    *uint64
	Float64   *float64
	Histogram [][3]any
}

func readMetrics(t *testing.T, s *subject, query string) map[string]metric {
	t.Helper()
	code, body := s.get("/metrics" + query)
	var answer struct{ Metrics map[string]metric }
	if err := json.Unmarshal(body, &answer); err != nil || code != 200 {
		t.Fatalf("%d %v", code, err)
	}
	return answer.Metrics
}

func checkMetrics(t *testing.T, s *subject) {
	all := readMetrics(t, s, "")
	if total := all["/memory/classes/total:bytes"].Uint64; total == nil || *total < 64<<20 {
		t.Errorf("total memory %v, want over 64 MB: the program keeps that much", total)
	}
	if limit := all["/cpu/classes/total:cpu-seconds"].Float64; limit == nil {
		t.Error("no CPU seconds")
	}
	for _, bin := range all["/gc/heap/allocs-by-size:bytes"].Histogram {
		from, ok := bin[0].(float64)
		if to, finite := bin[1].(float64); !ok || finite && !(to > from) || bin[2].(float64) < 1 {
			t.Errorf("sizes of objects: %v", bin)
		}
	}
	if bins := all["/gc/heap/allocs-by-size:bytes"].Histogram; len(bins) < 2 {
		t.Errorf("sizes of objects: %v", bins)
	}
	some := readMetrics(t, s, "?name=/sched/gomaxprocs:threads&name=/no/such:metric")
	if len(some) != 1 || some["/sched/gomaxprocs:threads"].Uint64 == nil {
		t.Errorf("asked for one metric that is and one that is not, got %v", some)
	}
}

func parse(t *testing.T, data []byte) *profile.Profile {
	t.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(p *profile.Profile, function string) bool {
	for _, f := range p.Function {
		if f.Name == function {
			return true
		}
	}
	return false
}

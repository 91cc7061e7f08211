package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/visits"
)

// asProgram in the environment makes the test binary be the program.
const asProgram = "VISITS_TEST_AS_PROGRAM"

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

// The program says where it listens, counts, logs, and ends in order on either signal with
// exit code 0 and not another word. A second run appends to the log.
func TestServesUntilSignalled(t *testing.T) {
	for _, stage := range visits.Stages {
		t.Run(stage.Name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			serveUntil(t, stage.Name, log, syscall.SIGTERM)
			serveUntil(t, stage.Name, log, os.Interrupt)
			serveUntil(t, stage.Name, discard, syscall.SIGTERM)
			lines, err := os.ReadFile(log)
			if err != nil || bytes.Count(lines, []byte("\n")) != 2 || bytes.Count(lines, []byte("gopher")) != 2 {
				t.Errorf("log is %q, %v, want a line for each of two visits", lines, err)
			}
		})
	}
}

func serveUntil(t *testing.T, stage, log string, signal os.Signal) {
	t.Helper()
	cmd := program(t, "-stage", stage, "-addr", "127.0.0.1:0", "-log", log)
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
	addr := regexp.MustCompile(`addr=(\S+)`).FindStringSubmatch(line)
	if addr == nil || !strings.Contains(line, "msg=listening") || !strings.Contains(line, "stage="+stage) {
		t.Fatalf("first line is %q, want where it listens and the stage", line)
	}
	answer, err := http.Get("http://" + addr[1] + "/hello?name=gopher&color=blue")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(body), "<p>Name: gopher</p><p>Visits: 1</p>") {
		t.Errorf("%s %s, %v", answer.Status, body, err)
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
		"unknown stage":       {[]string{"-stage", "fast"}, exitUsage, `unknown stage \"fast\" (known: start, `},
		"unknown flag":        {[]string{"-port", "1"}, exitUsage, "flag provided but not defined: -port"},
		"argument":            {[]string{"sharded"}, exitUsage, `unexpected argument \"sharded\"`},
		"two faults, one end": {[]string{"-stage", "fast", "-max-names", "-1"}, exitUsage, "max names is -1"},
		"port taken":          {[]string{"-addr", taken.Addr().String()}, exitFailed, "listen tcp " + taken.Addr().String()},
		"log in no directory": {[]string{"-log", filepath.Join(t.TempDir(), "none", "log")}, exitFailed, "none/log: no such file"},
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
	for _, stage := range visits.Stages {
		if !strings.Contains(string(out), stage.Name) {
			t.Errorf("-help does not name %q:\n%s", stage.Name, out)
		}
	}
}

// A log that cannot be written to is said once, and by nobody else.
func TestABrokenLogIsSaidOnce(t *testing.T) {
	var said bytes.Buffer
	l := &visitLog{out: broken{}, log: slog.New(slog.NewTextHandler(&said, nil))}
	for range 3 {
		if n, err := l.Write([]byte("line\n")); n != 5 || err != nil {
			t.Errorf("%d, %v: a logger would complain by itself", n, err)
		}
	}
	if strings.Count(said.String(), "disk full") != 1 {
		t.Errorf("said %q", said.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// The program is a subject like any other: nothing of hone is in it.
func TestImportsNothingOfHone(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("SKIPPED: needs the go command to list imports")
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	const module, own = "github.com/gohone/hone/", "github.com/gohone/hone/services/visits"
	seen := false
	for pkg := range strings.Lines(string(out)) {
		pkg = strings.TrimSpace(pkg)
		seen = seen || pkg == own
		if pkg == "net/http/pprof" || strings.HasPrefix(pkg, module) && !strings.HasPrefix(pkg, own) {
			t.Errorf("the program imports %s", pkg)
		}
	}
	if !seen {
		t.Errorf("go list does not name %s:\n%s", own, out)
	}
}

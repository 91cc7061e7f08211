// Package programtest tests the programs of the reference services as processes: the
// test binary runs itself.
package programtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/internal/program"
)

// asProgram in the environment makes the test binary be the program.
const asProgram = "SERVICE_TEST_AS_PROGRAM"

// Main is for TestMain: it runs the tests, or in the processes that Command starts the
// program, which may exit by itself. TestMain exits with its result.
func Main(m *testing.M, program func()) (code int) {
	if os.Getenv(asProgram) != "" {
		program()
		return 0
	}
	return m.Run()
}

// Command is the program with args. It does not outlive the test.
func Command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// Server is a server's program that runs.
type Server struct {
	Addr string // where it listens

	cmd    *exec.Cmd
	stderr *bufio.Reader
}

// Start starts cmd and waits until it has said where it listens and that it serves with
// stage.
func Start(t *testing.T, cmd *exec.Cmd, stage string) *Server {
	t.Helper()
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &Server{cmd: cmd, stderr: bufio.NewReader(pipe)}
	line := s.Line(t)
	said := regexp.MustCompile(`msg=listening addr=(\S+) stage=(\S+)`).FindStringSubmatch(line)
	if said == nil || said[2] != stage {
		t.Fatalf("first line is %q, want where it listens and stage %s", line, stage)
	}
	s.Addr = said[1]
	return s
}

// Line reads the next line of stderr.
func (s *Server) Line(t *testing.T) string {
	t.Helper()
	line, err := s.stderr.ReadString('\n')
	if err != nil {
		t.Fatalf("read stderr: %q, %v", line, err)
	}
	return line
}

// End sends the signal and wants the program to end with exit code 0 and not another
// word on stderr.
func (s *Server) End(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(s.stderr)
	if err != nil || len(rest) != 0 {
		t.Errorf("more on stderr, %v:\n%s", err, rest)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("end: %v, want exit code 0", err)
	}
}

// Failure is a run that fails.
type Failure struct {
	Args []string
	Code int    // the exit code
	Want string // is on stderr
}

// UntilSignalled runs story once for each stage and signal.
func UntilSignalled[S fmt.Stringer](t *testing.T, stages []S,
	story func(t *testing.T, stage string, signal os.Signal)) {
	for _, stage := range stages {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(stage.String()+", "+signal.String(), func(t *testing.T) { story(t, stage.String(), signal) })
		}
	}
}

// Fails wants each failure to be said on one line of stderr, and nothing on stdout: those
// of every server's program, which has these stages, and others.
func Fails(t *testing.T, stages string, others ...map[string]Failure) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	failures := map[string]Failure{
		"unknown stage": {[]string{"-stage", "fast"}, program.Usage,
			`unknown stage \"fast\" (known: ` + stages + ")"},
		"unknown flag":       {[]string{"-port", "1"}, program.Usage, "flag provided but not defined: -port"},
		"argument":           {[]string{"stray"}, program.Usage, `unexpected argument \"stray\"`},
		"address of no form": {[]string{"-addr", "nonsense"}, program.Failed, "missing port in address"},
		"port taken":         {[]string{"-addr", addr}, program.Failed, "listen tcp " + addr},
	}
	for _, more := range others {
		maps.Copy(failures, more)
	}
	for name, f := range failures {
		t.Run(name, func(t *testing.T) { fails(t, f) })
	}
}

func fails(t *testing.T, f Failure) {
	cmd := Command(t, f.Args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != f.Code {
		t.Errorf("end: %v, want exit code %d", err, f.Code)
	}
	if !strings.Contains(stderr.String(), f.Want) || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("stderr is\n%swant one line with %q", stderr.String(), f.Want)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout is %q, want nothing", stdout.String())
	}
}

// Limits are the failures of a program with limits on its connections.
func Limits() map[string]Failure {
	return map[string]Failure{
		"negative limit":     {[]string{"-max-conns", "-1"}, program.Usage, "max conns is -1"},
		"timeout of no form": {[]string{"-idle-timeout", "soon"}, program.Usage, "idle-timeout"},
	}
}

// HelpNames wants -help to succeed and to name the stages.
func HelpNames(t *testing.T, stages string) {
	t.Helper()
	out, err := Command(t, "-help").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "stage of the ladder: "+stages) {
		t.Errorf("-help: %v, want exit code 0 and the stages %s:\n%s", err, stages, out)
	}
}

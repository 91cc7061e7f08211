package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/chat"
)

// asProgram in the environment makes the test binary be the program.
const asProgram = "CHAT_TEST_AS_PROGRAM"

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

// The program says where it listens, serves, writes its journal and ends in order on
// either signal, with exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) {
	for _, stage := range chat.Stages {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(stage.Name+", "+signal.String(), func(t *testing.T) { serveUntil(t, stage.Name, signal) })
		}
	}
}

func serveUntil(t *testing.T, stage string, signal os.Signal) {
	journal := filepath.Join(t.TempDir(), "journal")
	cmd := program(t, "-stage", stage, "-addr", "127.0.0.1:0", "-journal", journal)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stderr := bufio.NewReader(pipe)
	first, err := stderr.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first, "msg=listening") || !strings.Contains(first, "stage="+stage) {
		t.Errorf("first line is %q, want where it listens and the stage", first)
	}
	addr := regexp.MustCompile(`addr=(\S+)`).FindStringSubmatch(first)
	if addr == nil {
		t.Fatalf("first line has no address: %q", first)
	}
	talk(t, addr[1])
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
	if b, err := os.ReadFile(journal); err != nil || !bytes.Contains(b, []byte(" user=ann nick=Annie room=hall ")) {
		t.Errorf("journal is %q, %v", b, err)
	}
}

// talk is one user who comes, speaks and goes.
func talk(t *testing.T, addr string) {
	t.Helper()
	c, err := chat.Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = errors.Join(c.Login(t.Context(), "ann", "Annie"), c.Join(t.Context(), "hall"), c.Say(t.Context(), []byte("hello")))
	if err != nil {
		t.Error(err)
	}
}

func TestJournalOnStdout(t *testing.T) {
	cmd := program(t, "-addr", "127.0.0.1:0", "-journal", "-")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	talk(t, regexp.MustCompile(`addr=(\S+)`).FindStringSubmatch(first)[1])
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil || !strings.Contains(stdout.String(), " user=ann ") {
		t.Errorf("end: %v, stdout %q, want the journal", err, stdout.String())
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
		"unknown stage":      {[]string{"-stage", "fast"}, exitUsage, `unknown stage \"fast\" (known: naive, `},
		"unknown flag":       {[]string{"-port", "1"}, exitUsage, "flag provided but not defined: -port"},
		"argument":           {[]string{"final"}, exitUsage, `unexpected argument \"final\"`},
		"negative limit":     {[]string{"-max-conns", "-1"}, exitUsage, "max conns is -1"},
		"queue too small":    {[]string{"-queue-bytes", "10"}, exitUsage, "queue bytes is 10"},
		"timeout of no form": {[]string{"-idle-timeout", "soon"}, exitUsage, "idle-timeout"},
		"address of no form": {[]string{"-addr", "nonsense"}, exitFailed, "missing port in address"},
		"port taken":         {[]string{"-addr", taken.Addr().String()}, exitFailed, "listen tcp " + taken.Addr().String()},
		"no such directory":  {[]string{"-journal", filepath.Join(t.TempDir(), "no", "journal")}, exitFailed, "open journal: "},
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
	for _, stage := range chat.Stages {
		if !strings.Contains(string(out), stage.Name) {
			t.Errorf("-help does not name %q:\n%s", stage.Name, out)
		}
	}
}

// The program is a subject like any other: it must not bring the instruments that hone
// is there to add, nor anything else of hone.
func TestImportsNothingOfHone(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command to list imports")
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	const module, own = "github.com/gohone/hone/", "github.com/gohone/hone/services/chat"
	seen := false
	for pkg := range strings.Lines(string(out)) {
		pkg = strings.TrimSpace(pkg)
		seen = seen || pkg == own
		if strings.HasPrefix(pkg, "net/http") || strings.HasPrefix(pkg, module) && !strings.HasPrefix(pkg, own) && !strings.HasPrefix(pkg, module+"services/internal/") {
			t.Errorf("the program imports %s", pkg)
		}
	}
	if !seen {
		t.Errorf("go list does not name %s:\n%s", own, out)
	}
}

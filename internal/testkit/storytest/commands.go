package storytest

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Patience bounds every wait for an event in the stories. It is an end to a hanging test, not an assertion: what is
// awaited normally happens within milliseconds.
const Patience = 60 * time.Second

// hardCodePort replaces FIXED in the Go files of a script by a port that is free now,
// and gives the script the number as $FIXED: the programs of the stories have their port
// in the source, and two runs of the tests on one machine do not meet.
func hardCodePort(e *testscript.Env, port string) error {
	e.Setenv("FIXED", port)
	return filepath.WalkDir(e.WorkDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(text, []byte(":FIXED"), []byte(":"+port)), 0o600)
	})
}

// runid FILE NAME sets the variable NAME to the id of the run whose JSON is in the file.
func runID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: runid FILE NAME")
	}
	var run struct{ ID string }
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &run); err != nil || run.ID == "" {
		ts.Fatalf("%s has no run: %v", args[0], err)
	}
	ts.Setenv(args[1], run.ID)
}

// exits CODE COMMAND... runs a command and wants that exit code. CODE may be a list such
// as 0,4: an open loop on a busy machine is right to call itself invalid.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	wantExit(ts, args, run(ts, args[1:]))
}

// decides CODE COMMAND... runs a comparison and wants that exit code. On a busy machine hone is right to end with
// undecided or invalid: then the comparison runs again, at most three times in all. A wrong decision fails at once.
func decides(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: decides CODE COMMAND [ARG...]")
	}
	const invalid, undecided = 4, 8
	got := run(ts, args[1:])
	for range 2 {
		if got != undecided && got != invalid {
			break
		}
		ts.Logf("exited with %d: the machine may be busy; once more", got)
		got = run(ts, args[1:])
	}
	wantExit(ts, args, got)
}

// run runs a command and returns its exit code.
func run(ts *testscript.TestScript, command []string) int {
	err := ts.Exec(command[0], command[1:]...)
	if err == nil {
		return 0
	}
	exit, ok := err.(*exec.ExitError)
	if !ok {
		ts.Fatalf("run %s: %v", command[0], err)
	}
	return exit.ExitCode()
}

// wantExit wants one of the exit codes of args[0], a list.
func wantExit(ts *testscript.TestScript, args []string, got int) {
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("%s exited with %d, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// await FILE waits until a file exists and is not empty.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	file := ts.MkAbs(args[0])
	Poll(ts, "file "+args[0], func() bool {
		info, err := os.Stat(file)
		return err == nil && info.Size() > 0
	})
}

// listening PORT waits until something listens on a port of 127.0.0.1.
func listening(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listening PORT")
	}
	Poll(ts, "listener on port "+args[0], func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+args[0])
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// same TEXT FILE FILE wants the same lines with TEXT in both files, and some.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: same TEXT FILE FILE")
	}
	lines := func(file string) (found []string) {
		for line := range strings.Lines(ts.ReadFile(file)) {
			if strings.Contains(line, args[0]) {
				found = append(found, strings.TrimSpace(line))
			}
		}
		return found
	}
	one, two := lines(args[1]), lines(args[2])
	if len(one) == 0 || !slices.Equal(one, two) {
		ts.Fatalf("lines with %q differ: %q and %q", args[0], one, two)
	}
}

// flip DIR flips one bit in the middle of the largest file below a directory.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: flip DIR")
	}
	largest, size := "", int64(0)
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > size {
			largest, size = path, info.Size()
		}
		return err
	}))
	content, err := os.ReadFile(largest)
	ts.Check(err)
	content[len(content)/2] ^= 1
	ts.Check(os.Chmod(largest, 0o600))
	ts.Check(os.WriteFile(largest, content, 0o600))
}

// gone FILE waits until none of the processes whose PIDs stand in FILE lives.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone PIDFILE")
	}
	for _, field := range strings.Fields(ts.ReadFile(args[0])) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			ts.Fatalf("%s: %v", args[0], err)
		}
		Poll(ts, "end of process "+field, func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
	}
}

// Poll waits until something is done that no event tells of: another process, a file. t is a test or a story.
func Poll(t interface {
	Fatalf(format string, args ...any)
}, what string, done func() bool) {
	for end := time.Now().Add(Patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatalf("no %s within %v", what, Patience)
}

// GoEnv is a setting of the go command that runs the tests.
func GoEnv(t testing.TB, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/ledger"
	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds every wait for an event in the scripts. It is an end to a hanging
// test, not an assertion: what is awaited normally happens within milliseconds.
const patience = 60 * time.Second

// honeBinary is the real hone, built once: the stories run what users run.
var honeBinary string

// builtHone names it to a test that carries itself out again, see mounttest.
const builtHone = "HONE_TEST_BINARY"

func TestMain(m *testing.M) {
	if os.Getenv(peakRole) != "" {
		os.Exit(runForPeak())
	}
	if honeBinary = os.Getenv(builtHone); honeBinary != "" {
		os.Exit(m.Run())
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "hone-script-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		honeBinary = filepath.Join(dir, "hone")
		build := exec.Command("go", "build", "-ldflags=-w", "-o", dir, ".", "./testdata/loadsvc")
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "build hone and loadsvc:", err)
			return 1
		}
		os.Setenv(builtHone, honeBinary)
		return m.Run()
	}())
}

// alone is the T of a story that runs while no other does: it asserts what real time was.
type alone struct{ *testing.T }

func (t alone) Parallel()     {}
func (t alone) Verbose() bool { return testing.Verbose() }
func (t alone) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(alone{t}) })
}

// runsAlone are the stories that do.
var runsAlone = []string{"once_compare.txtar", "bench_loops.txtar"}

// TestScripts runs the stories in testdata/script, beside each other: mostly they wait, and
// only those of runsAlone assert what a measurement on a quiet machine would say.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	params := scriptParams(t, repo)
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		run := testscript.Run
		if slices.Contains(runsAlone, filepath.Base(script)) {
			run = func(t *testing.T, p testscript.Params) { testscript.RunT(alone{t}, p) }
		}
		params.Files = []string{script}
		run(t, params)
	}
}

// scriptParams are the environment and the commands of all stories.
func scriptParams(t *testing.T, repo string) testscript.Params {
	cache, modCache := goEnv(t, "GOCACHE"), goEnv(t, "GOMODCACHE")
	return testscript.Params{
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(honeBinary)+string(os.PathListSeparator)+os.Getenv("PATH"))
			e.Setenv("HONEDIR", filepath.Dir(honeBinary)) // a PATH with nothing but hone
			e.Setenv("GOCACHE", cache)
			e.Setenv("GOMODCACHE", modCache)
			// Without debugging information programs link in half the time.
			e.Setenv("GOFLAGS", "-buildvcs=false -ldflags=-w")
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("REPO", repo)
			e.Setenv("OTHER", freePort(t))
			e.Defer(func() { walkPrinted(t, e.WorkDir) })
			return hardCodePort(e, freePort(t))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"await":     await,
			"listening": listening,
			"same":      same,
			"gone":      gone,
			"flip":      flip,
			"newer":     newer,
			"runid":     runID,
			"artefact":  artefact,
			"enter":     enter,
		},
	}
}

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

// enter FILE NAME asks for the address in the file, as a browser does at first, and sets NAME to the cookie that it gets. With
// ! it wants to get none.
func enter(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] enter FILE NAME")
	}
	request, err := http.NewRequest(http.MethodGet, strings.TrimSpace(ts.ReadFile(args[0])), nil)
	ts.Check(err)
	answer, err := http.DefaultTransport.RoundTrip(request) // follows no redirect
	ts.Check(err)
	ts.Check(answer.Body.Close())
	cookies := answer.Cookies()
	if neg == (len(cookies) > 0) {
		ts.Fatalf("%s: %d cookies", answer.Status, len(cookies))
	}
	if !neg {
		ts.Setenv(args[1], cookies[0].Name+"="+cookies[0].Value)
	}
}

// artefact RUN NAME FILE writes what a run of the ledger .hone keeps under a name to a file.
func artefact(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: artefact RUN NAME FILE")
	}
	l, err := ledger.Open(ts.MkAbs(".hone"))
	ts.Check(err)
	defer l.Close()
	all, err := l.Artefacts(args[0])
	ts.Check(err)
	for _, one := range all {
		if one.Name == args[1] {
			data, err := l.ReadArtefact(one)
			ts.Check(err)
			ts.Check(os.WriteFile(ts.MkAbs(args[2]), data, 0o600))
			return
		}
	}
	ts.Fatalf("run %s keeps nothing under %q, but %v", args[0], args[1], all)
}

// exits CODE COMMAND... runs a command and wants that exit code. CODE may be a list such
// as 0,4: an open loop on a busy machine is right to call itself invalid.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
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
	poll(ts, "file "+args[0], func() bool {
		info, err := os.Stat(file)
		return err == nil && info.Size() > 0
	})
}

// listening PORT waits until something listens on a port of 127.0.0.1.
func listening(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listening PORT")
	}
	poll(ts, "listener on port "+args[0], func() bool {
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
		poll(ts, "end of process "+field, func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH })
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

// newer FILE makes a ledger's database one of schema 9: the number in its header
// (sqlite.org/fileformat.html, user version).
func newer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: newer FILE")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY, 0)
	ts.Check(err)
	defer f.Close()
	_, err = f.WriteAt([]byte{0, 0, 0, 9}, 60)
	ts.Check(err)
}

func poll(ts *testscript.TestScript, what string, done func() bool) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if done() {
			return
		}
	}
	ts.Fatalf("no %s within %v", what, patience)
}

// goEnv is a setting of the go command that runs the tests.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

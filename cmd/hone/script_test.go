package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/testkit/storytest"
)

// patience bounds every wait for an event.
const patience = storytest.Patience

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
	os.Exit(storytest.Built(m, "../..", func(dir string) error {
		honeBinary = filepath.Join(dir, "hone")
		os.Setenv(builtHone, honeBinary)
		return errors.Join(storytest.Build(dir, ".", ".", "./testdata/loadsvc"),
			storytest.Build(dir, "../hone-metrics", "."))
	}))
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
	params := storytest.Params(t, filepath.Dir(honeBinary), repo)
	setup := params.Setup
	params.Setup = func(e *testscript.Env) error {
		e.Defer(func() { walkPrinted(t, e.WorkDir) })
		return setup(e)
	}
	params.Condition = func(name string) (bool, error) {
		if name != "box" {
			return false, fmt.Errorf("unknown condition %s", name)
		}
		return cgroup.Try(cgroup.Limits{CPUs: 1, Memory: 64 << 20}) == nil, nil
	}
	maps.Copy(params.Cmds, map[string]func(*testscript.TestScript, bool, []string){
		"newer": newer, "artefact": artefact, "forge": forge, "enter": enter, "agree": agree, "proxy": proxy,
		"gitserver": gitServer,
	})
	return params
}

// enter FILE NAME asks for the address in the file, as a browser does at first, and sets NAME to the cookie that it
// gets. With ! it wants to get none.
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

// newer FILE makes a record one of schema 9, as a later hone would write it.
func newer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: newer FILE")
	}
	files, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	data, err := os.ReadFile(files[0])
	ts.Check(err)
	const schema = "hone.record/9"
	_, content, _ := strings.Cut(string(data), "\n")
	sum := sha256.Sum256([]byte(schema + "\n" + content))
	ts.Check(os.WriteFile(files[0], fmt.Appendf(nil, "%s %x\n%s", schema, sum, content), 0o600))
}

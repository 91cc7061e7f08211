package robust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What go1.26 prints when an input fails, and when none does.
const (
	failingOutput = `fuzz: elapsed: 0s, gathering baseline coverage: 0/27 completed
fuzz: elapsed: 0s, gathering baseline coverage: 27/27 completed, now fuzzing with 1 workers
fuzz: elapsed: 3s, execs: 12034 (4011/sec), new interesting: 2 (total: 29)
fuzz: minimizing 42-byte failing input file
fuzz: elapsed: 4s, minimizing
--- FAIL: FuzzA (4.12s)
    --- FAIL: FuzzA (0.00s)
        a_test.go:12: "x" became "y"

    Failing input written to testdata/fuzz/FuzzA/0123456789abcdef
    To re-run:
    go test -run=FuzzA/0123456789abcdef
FAIL
`
	passingOutput = `fuzz: elapsed: 0s, gathering baseline coverage: 27/27 completed, now fuzzing with 1 workers
fuzz: elapsed: 3s, execs: 12034 (4011/sec), new interesting: 2 (total: 29)
fuzz: elapsed: 5s, execs: 20000 (3983/sec), new interesting: 2 (total: 29)
PASS
`
	lateOutput = `fuzz: elapsed: 3s, execs: 12034 (4011/sec), new interesting: 2 (total: 29)
--- FAIL: FuzzA (3.02s)
    context deadline exceeded
FAIL
`
)

func TestWhatAFuzzTargetSaid(t *testing.T) {
	for text, want := range map[string]fuzzReport{
		failingOutput: {12034, "testdata/fuzz/FuzzA/0123456789abcdef", `--- FAIL: FuzzA (0.00s)`, false},
		passingOutput: {20000, "", "", false},
		lateOutput:    {12034, "", "context deadline exceeded", true},
		"":            {},
	} {
		got := readFuzz([]byte(text))
		if text == failingOutput {
			want.failure = `a_test.go:12: "x" became "y"`
		}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestWhichEndsOfAFuzzTargetAreFailures(t *testing.T) {
	ended := errors.New("exit status 1")
	for _, c := range []struct {
		output   string
		hung     bool
		err      error
		failures []string
		notes    int
	}{
		{passingOutput, false, nil, nil, 0},
		{failingOutput, false, ended, []string{`input kept as there: a_test.go:12: "x" became "y"`}, 0},
		{lateOutput, false, ended, nil, 1},
		{"", true, ended, []string{"did not end"}, 0},
		{"panic: out of memory\n", false, ended, []string{"exit status 1"}, 0},
	} {
		var o outcome
		judgeFuzz(&o, readFuzz([]byte(c.output)), "there", c.hung, c.err)
		wantFailures(t, o, c.failures...)
		if len(o.Notes) != c.notes {
			t.Errorf("notes %q, want %d", o.Notes, c.notes)
		}
	}
}

func FuzzReadFuzz(f *testing.F) {
	for _, text := range []string{failingOutput, passingOutput, lateOutput} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		if got := readFuzz(out); len(got.failure) > 300 {
			t.Errorf("a failure of %d bytes", len(got.failure))
		}
	})
}

// All targets of all modules are found, and nothing that only looks like one.
func TestAllTargetsAreFound(t *testing.T) {
	all, err := findTargets(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []target{{".", "./internal/wire/schemes", "FuzzParse"}, {"bench", "./robust", "FuzzReadFuzz"},
		{"cmd/hone-agent", "./internal/cluster", "FuzzOpen"}} {
		if !slices.Contains(all, want) {
			t.Errorf("%v is not found", want)
		}
	}
	if len(slices.Compact(slices.Clone(all))) != len(all) || len(all) < 70 {
		t.Errorf("%d targets: %v", len(all), all)
	}
	if got := (target{"bench", "./robust", "FuzzReadFuzz"}).String(); got != "bench/robust FuzzReadFuzz" {
		t.Errorf("its name is %q", got)
	}

	root := t.TempDir()
	for path, text := range map[string]string{
		"a/a_test.go":          "package a\n\nfunc FuzzA(f *testing.F) {}\nfunc Fuzzy() {}\n// func FuzzNo(f *testing.F) {}\n",
		"a/b/b_test.go":        "package b\n\nfunc FuzzC(f *testing.F) {}\n",
		"a/z_test.go":          "package a\n\nfunc FuzzZ(f *testing.F) {}\n",
		"a/a.go":               "package a\n\nfunc FuzzNotHere(f *testing.F) {}\n",
		"a/testdata/x_test.go": "package x\n\nfunc FuzzNotHere(f *testing.F) {}\n",
		"bench/b_test.go":      "package bench\n\nfunc FuzzB(f *testing.F) {}\n",
		"bench/go.mod":         "module bench\n",
		"cmd/hone-x/go.mod":    "module x\n",
		"cmd/hone-x/x_test.go": "package main\n\nfunc FuzzX(f *testing.F) {}\n",
		"other/go.mod":         "module other\n",
		"other/o_test.go":      "package other\n\nfunc FuzzNotHere(f *testing.F) {}\n",
	} {
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var printed strings.Builder
	if err := printTargets(&printed, root); err != nil {
		t.Fatal(err)
	}
	if got, want := printed.String(),
		". ./a FuzzA FuzzZ\n. ./a/b FuzzC\nbench ./. FuzzB\ncmd/hone-x ./. FuzzX\n"; got != want {
		t.Errorf("printed:\n%s\nwant:\n%s", got, want)
	}
}

// An input that failed leaves the source tree, so that the next slice goes on with others.
func TestAFailingInputIsKeptElsewhere(t *testing.T) {
	r := &rig{root: t.TempDir(), crashers: filepath.Join(t.TempDir(), "crashers")}
	on := target{".", "./a", "FuzzA"}
	const input = "testdata/fuzz/FuzzA/0123"
	from := filepath.Join(r.root, "a", input)
	if err := errors.Join(os.MkdirAll(filepath.Dir(from), 0o700),
		os.WriteFile(from, []byte("go test fuzz v1\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	kept, err := r.keepCrasher(on, input)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "go test fuzz v1\n" {
		t.Errorf("%s holds %q: %v", kept, text, err)
	}
	if _, err := os.Stat(from); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still in the tree: %v", err)
	}
	if kept, err := r.keepCrasher(on, ""); kept != "" || err != nil {
		t.Errorf("without a failing input: %q, %v", kept, err)
	}
}

package findings

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fromHere is the root of the repository.
const fromHere = "../.."

// Every rule has its three programs, and marks where they belong.
func TestProgramsAreMarked(t *testing.T) {
	for _, trial := range trials {
		for _, p := range []part{speaks, fixed, silent} {
			marks, err := readMarks(filepath.Join(fromHere, trial.dir(p)))
			if err != nil {
				t.Error(err)
				continue
			}
			if want := p == speaks && !trial.Anywhere; (len(marks) > 0) != want {
				t.Errorf("%s: %d marks; only programs with a defect have them", trial.dir(p), len(marks))
			}
			for _, m := range marks {
				if m.Rule != trial.Rule {
					t.Errorf("%s: %+v: want rule %s", trial.dir(p), m, trial.Rule)
				}
			}
		}
	}
}

// A directory with programs that no trial names would never be tried.
func TestEveryDirectoryIsATrial(t *testing.T) {
	found, err := filepath.Glob(filepath.Join(fromHere, programs, "*", string(speaks)))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range found {
		if rule := filepath.Base(filepath.Dir(dir)); !slices.Contains(rulesOf(trials), rule) {
			t.Errorf("%s is in no trial: add it to trials.go", dir)
		}
	}
	if len(found) != len(trials) || len(trials) < 30 {
		t.Errorf("%d directories, %d trials: want as many, and 30 or more", len(found), len(trials))
	}
}

// The go command leaves out what is under testdata, so nothing else says that a program does not compile.
func TestProgramsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles over a hundred programs")
	}
	var dirs []string
	err := filepath.WalkDir(filepath.Join(fromHere, programs), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			name, _ := filepath.Rel(fromHere, filepath.Dir(path))
			dirs = append(dirs, "./"+filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"vet"}, slices.Compact(dirs)...)...)
	cmd.Dir = fromHere
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

func TestCommandLines(t *testing.T) {
	some, err := chosen([]string{"slow-build"})
	if err != nil {
		t.Fatal(err)
	}
	b := some[0]
	for _, c := range []struct{ got, want []string }{
		{b.run(speaks, "-d", "3s"), []string{"./internal/insight/advice/testdata/slow-build/speaks", "--target", "http://127.0.0.1:{port}/near?word=gardner",
			"-d", "3s", "--flags", "-gcflags=all=-N -l", "--", "-addr", "127.0.0.1:{port}"}},
		{b.run(fixed), []string{"./internal/insight/advice/testdata/slow-build/fixed", "--target", "http://127.0.0.1:{port}/near?word=gardner",
			"--", "-addr", "127.0.0.1:{port}"}},
		{b.compare(), []string{"./internal/insight/advice/testdata/slow-build/speaks", "./internal/insight/advice/testdata/slow-build/fixed", "--target",
			"http://127.0.0.1:{port}/near?word=gardner", "--flags", "A:-gcflags=all=-N -l", "--", "-addr", "127.0.0.1:{port}"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q\nwant %q", c.got, c.want)
		}
	}
	for _, words := range [][]string{{"nonsense"}, {"boxing", "boxing"}} {
		if _, err := chosen(words); err == nil || !strings.Contains(err.Error(), "json-any") {
			t.Errorf("%q: %v: want an error that names the trials", words, err)
		}
	}
}

// source is a file with marks in a method, a generic one, a literal and a plain function.
const source = `package p

type list[T any] struct{}

func (l *list[T]) add(v T) {
	_ = v // want: a-rule
}

func plain() {
	func() {
		_ = 1 // want: a-rule
	}()
}
`

func TestMarksAreInTheirFunctions(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readMarks(dir)
	want := []mark{{"a-rule", "p.go", 6, "(*list[...]).add"}, {"a-rule", "p.go", 11, "plain"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
	if _, err := readMarks(filepath.Join(dir, "none")); err == nil {
		t.Error("read marks of a directory that is not there")
	}
}

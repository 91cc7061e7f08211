package rewrite

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gohone/hone/internal/text/fail"
)

var update = flag.Bool("update", false, "write the patches of the test data anew")

// Marks in the source of the test data: where a rewrite is tried, and the line at which it is to be
// refused, with the cause.
var (
	tryMark     = regexp.MustCompile(`// try (\w+)`)
	refusedMark = regexp.MustCompile(`// refused (\w+): (.*?)(?: // |$)`)
)

// story is the test data of one rewrite, laid out in a module.
type story struct {
	rewrite *Rewrite
	path    string
	archive *txtar.Archive
	dir     string
	tries   []try
}

type try struct {
	name, file string
	line       int
	// refused is where and why it is to be refused; "" if it is not.
	refused, cause string
}

func stories(t *testing.T) []*story {
	t.Helper()
	var all []*story
	for _, r := range All {
		s := &story{rewrite: r, path: filepath.Join("testdata", r.Rules[0]+".txtar"), dir: t.TempDir()}
		var err error
		if s.archive, err = txtar.ParseFile(s.path); err != nil {
			t.Fatal(err)
		}
		for _, f := range s.archive.Files {
			if filepath.Ext(f.Name) == ".patch" {
				continue
			}
			if err := os.WriteFile(filepath.Join(s.dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(f.Data), "\n") {
				if m := tryMark.FindStringSubmatch(line); m != nil {
					s.tries = append(s.tries, try{name: m[1], file: f.Name, line: i + 1})
				}
			}
		}
		s.readRefusals()
		all = append(all, s)
	}
	return all
}

func (s *story) readRefusals() {
	for _, f := range s.archive.Files {
		for i, line := range strings.Split(string(f.Data), "\n") {
			for _, m := range refusedMark.FindAllStringSubmatch(line, -1) {
				for j := range s.tries {
					if s.tries[j].name == m[1] {
						s.tries[j].refused, s.tries[j].cause = f.Name+":"+strconv.Itoa(i+1)+":", strings.TrimSpace(m[2])
					}
				}
			}
		}
	}
}

// apply tries one place; the package is loaded once for all of a story.
func (s *story) apply(t *testing.T, loaded **code, one try) (*Change, error) {
	t.Helper()
	o, p := Options{Module: s.dir}, Place{File: one.file, Line: one.line}
	if *loaded == nil {
		return s.first(t, loaded, o)
	}
	c, err := (*loaded).forPlace(filepath.Join(s.dir, one.file), p)
	if err == nil {
		err = s.rewrite.edit(c)
	}
	if err != nil {
		return nil, err
	}
	return c.change(s.rewrite)
}

// first loads the package by any place that loads.
func (s *story) first(t *testing.T, loaded **code, o Options) (*Change, error) {
	t.Helper()
	c, err := load(t.Context(), o, Place{File: s.tries[0].file, Line: s.tries[0].line})
	if err != nil {
		t.Fatal(err)
	}
	*loaded = c
	return s.apply(t, loaded, s.tries[0])
}

func TestRewrites(t *testing.T) {
	for _, s := range stories(t) {
		t.Run(s.rewrite.Rules[0], func(t *testing.T) {
			var loaded *code
			if _, err := s.first(t, &loaded, Options{Module: s.dir}); err != nil {
				t.Fatal(err)
			}
			var files []txtar.File
			for _, f := range s.archive.Files {
				if filepath.Ext(f.Name) != ".patch" {
					files = append(files, f)
				}
			}
			for _, one := range s.tries {
				change, err := s.apply(t, &loaded, one)
				if one.refused != "" || err != nil {
					s.wantRefusal(t, one, err)
					continue
				}
				name := one.name + ".patch"
				files = append(files, txtar.File{Name: name, Data: change.Patch()})
				if !*update && !bytes.Equal(change.Patch(), s.file(name)) {
					t.Errorf("%s: the patch is\n%s\nwant\n%s\n(-update writes it)", one.name, change.Patch(),
						s.file(name))
				}
			}
			if *update {
				if err := os.WriteFile(s.path, txtar.Format(&txtar.Archive{Comment: s.archive.Comment, Files: files}),
					0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func (s *story) file(name string) []byte {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func (s *story) wantRefusal(t *testing.T, one try, err error) {
	t.Helper()
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Errorf("%s: %v, want a refusal: %s %s", one.name, err, one.refused, one.cause)
		return
	}
	text := filepath.Base(refusal.Error())
	if one.refused == "" || !strings.HasPrefix(refusal.Error(), filepath.Join(s.dir, one.refused)) ||
		!strings.Contains(refusal.Error(), one.cause) {
		t.Errorf("%s: refused as %s\nwant %s %s", one.name, text, one.refused, one.cause)
	}
}

// Each rewritten package compiles, and its tests pass: all of them are packages of one module, so
// that go is asked once.
func TestRewrittenPackagesPassTheirTests(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/all\n\ngo 1.25\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	packages := 0
	for _, s := range stories(t) {
		var loaded *code
		for _, one := range s.tries {
			if one.refused != "" {
				continue
			}
			change, err := s.apply(t, &loaded, one)
			if err != nil {
				t.Errorf("%s %s: %v", s.rewrite.Rules[0], one.name, err)
				continue
			}
			packages++
			s.layOut(t, filepath.Join(dir, s.rewrite.Rules[0]+"_"+one.name), change)
		}
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "-vet=off", "./..."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("not formatted: %s, %v", out, err)
	}
	t.Logf("%d rewritten packages", packages)
}

// layOut writes a package as the patch of its change makes it, by the patch command itself.
func (s *story) layOut(t *testing.T, dir string, change *Change) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range s.archive.Files {
		if filepath.Ext(f.Name) == ".go" {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "apply", "-p1")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(change.Patch())
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, change.Patch())
	}
	for _, f := range change.Files {
		now, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil || !bytes.Equal(now, f.After) {
			t.Errorf("%s: the patch makes of it\n%s", f.Name, now)
		}
	}
}

func TestEveryRefusalHasAHint(t *testing.T) {
	s := stories(t)[0]
	_, err := s.rewrite.Apply(t.Context(), Options{Module: s.dir}, Place{File: "refused.go", Line: 1})
	if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" ||
		!strings.HasPrefix(err.Error(), "refused.go:1: ") {
		t.Errorf("%v (%s)", err, fail.HintOf(err))
	}
}

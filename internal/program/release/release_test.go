package release

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/storytest"
)

const table = `package godebugs

type Info struct { Name, Package string; Changed int; Old string; Opaque bool }

var All = []Info{
	{Name: "gocachehash", Package: "cmd/go"},
	{Name: "mapsarefast", Package: "runtime", Changed: 27, Old: "0", Opaque: true},
	//{Name: "multipartfiles", Package: "mime/multipart"},
	{Name: "urlstrictcolons", Package: "net/url", Changed: 26, Old: "0"},
}
`

const flags = `package goexperiment

type Flags struct {
	FieldTrack bool

	// Regabi is split.

	// TeaGC enables the Tea GC
	// implementation. It is new.
	TeaGC bool
}
`

func TestDefaults(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", table, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := defaultsOf(file)
	want := []Default{{"mapsarefast", "runtime", 27, "0"}, {"urlstrictcolons", "net/url", 26, "0"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Changed(want[1:], want); !slices.Equal(got, want[:1]) {
		t.Errorf("between the releases %v", got)
	}
}

func TestExperiments(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", flags, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	want := []Experiment{{Name: "fieldtrack", Constant: "FieldTrack"},
		{"teagc", "enables the Tea GC implementation", "TeaGC"}}
	if got := experimentsOf(file); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The release that runs the test has both files.
func TestThisRelease(t *testing.T) {
	goroot := storytest.GoEnv(t, "GOROOT")
	settings, err := Defaults(goroot)
	if err != nil || len(settings) < 10 {
		t.Errorf("%d settings, %v", len(settings), err)
	}
	experiments, err := Experiments(goroot)
	if err != nil || len(experiments) < 10 {
		t.Errorf("%d experiments, %v", len(experiments), err)
	}
}

// A function depends on an experiment by the constraint of its file, in its body, and by a constant that its package
// derives. What an experiment adds for a package that it opens is no work of other programs.
func TestFunctionsOf(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"runtime/tea.go":      "//go:build goexperiment.teagc && linux\n\npackage runtime\nfunc (w *work) scan() {}",
		"runtime/coffee.go":   "//go:build !goexperiment.teagc\n\npackage runtime\nfunc (w work) mark() {}",
		"runtime/derived.go":  "package runtime\nconst tea = goexperiment.TeaGC && !race",
		"runtime/asks.go":     "package runtime\nfunc asks() { if tea { } }\nfunc other() {}",
		"runtime/malloc.go":   "package runtime\nfunc malloc() { if goexperiment.Secret { } }",
		"runtime/a_test.go":   "package runtime\nfunc tested() { if tea { } }",
		"secret/secret.go":    "//go:build goexperiment.secret\n\npackage secret\nfunc Do() {}",
		"json/old.go":         "//go:build !goexperiment.jsonnew\n\npackage json\nfunc Marshal[T any](v T) {}",
		"json/new/new.go":     "//go:build goexperiment.jsonnew\n\npackage new\nfunc Marshal() {}",
		"cmd/compile/main.go": "package main\nfunc main() { if goexperiment.TeaGC { } }",
	} {
		path := filepath.Join(root, "src", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, err := FunctionsOf(root, []Experiment{{Name: "teagc", Constant: "TeaGC"},
		{Name: "secret", Constant: "Secret"}, {Name: "jsonnew", Constant: "JSONNew"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"teagc": "runtime.(*work).scan runtime.asks runtime.work.mark", "secret": "secret.Do",
		"jsonnew": "json.Marshal json/new.Marshal"}
	for name, functions := range want {
		if got := strings.Join(slices.Sorted(maps.Keys(found[name])), " "); got != functions {
			t.Errorf("%s: %s, want %s", name, got, functions)
		}
	}
	for _, function := range []string{"runtime.asks.func1", "runtime.(*work).scan"} {
		if !found.Has("teagc", function) {
			t.Errorf("%s does not depend on teagc", function)
		}
	}
	if !found.Has("jsonnew", "json.Marshal[go.shape.int]") || found.Has("teagc", "runtime.other") {
		t.Error("type arguments are no part of the name, and other functions do not depend on it")
	}
}

// The functions of the release that runs the test: maps and the allocator depend on no experiment of encoding/json.
func TestFunctionsOfThisRelease(t *testing.T) {
	goroot := storytest.GoEnv(t, "GOROOT")
	experiments, err := Experiments(goroot)
	if err != nil {
		t.Fatal(err)
	}
	found, err := FunctionsOf(goroot, experiments)
	if err != nil {
		t.Fatal(err)
	}
	if !found.Has("jsonv2", "encoding/json.Marshal") || found.Has("jsonv2", "runtime.mallocgc") {
		t.Error("encoding/json depends on jsonv2, and the allocator does not")
	}
	if !found.Has("runtimesecret", "runtime/secret.Do") || found.Has("runtimesecret", "runtime.mallocgc") {
		t.Error("runtimesecret opens runtime/secret, and is no work of the allocator for other programs")
	}
}

func FuzzRelease(f *testing.F) {
	f.Add(table)
	f.Add(flags)
	f.Fuzz(func(t *testing.T, text string) {
		file, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil {
			return
		}
		for _, s := range defaultsOf(file) {
			if s.Name == "" || s.Old == "" || s.Changed <= 0 {
				t.Errorf("a setting without a default to go back to: %+v", s)
			}
		}
		for _, e := range experimentsOf(file) {
			if e.Name != strings.ToLower(e.Name) {
				t.Errorf("the experiment %q is not in small letters", e.Name)
			}
		}
	})
}

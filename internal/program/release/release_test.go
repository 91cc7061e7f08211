package release

import (
	"go/parser"
	"go/token"
	"os/exec"
	"slices"
	"strings"
	"testing"
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
	want := []Experiment{{Name: "fieldtrack"}, {"teagc", "enables the Tea GC implementation"}}
	if got := experimentsOf(file); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The release that runs the test has both files.
func TestThisRelease(t *testing.T) {
	answer, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot := strings.TrimSpace(string(answer))
	settings, err := Defaults(goroot)
	if err != nil || len(settings) < 10 {
		t.Errorf("%d settings, %v", len(settings), err)
	}
	experiments, err := Experiments(goroot)
	if err != nil || len(experiments) < 10 {
		t.Errorf("%d experiments, %v", len(experiments), err)
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

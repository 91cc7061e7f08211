package facts

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// viewOf is a view of module example.com/m, built in /src, with these files, and a stack: functions with their files
// and marks, the innermost first.
func viewOf(t *testing.T, files map[string]string, frames ...string) (*View, *Stack) {
	t.Helper()
	v := &View{Tree: code.Tree{Code: prof.Code{Module: "example.com/m", MainPackage: "example.com/m"}}}
	texts := map[string][]byte{}
	for name, text := range files {
		texts["/src/"+name] = []byte(text)
	}
	v.ReadFrom(texts)
	s := Stack{}
	for _, one := range frames {
		function, at, own := strings.Cut(one, " ")
		f := Frame{Function: function, Pkg: symbol.PackagePath(function), Origin: prof.Standard}
		f.Name = strings.TrimPrefix(strings.TrimPrefix(function, f.Pkg), ".")
		if own {
			file, mark, _ := strings.Cut(at, " ")
			f.File, f.Origin, f.Line = "/src/"+file, prof.Own, lineWith(t, files[file], mark)
		}
		s.Frames = append(s.Frames, f)
	}
	v.add(s)
	return v, &v.Stacks[0]
}

func TestTypesOfOtherFilesAndPackagesAreKnown(t *testing.T) {
	v, _ := viewOf(t, map[string]string{
		"main.go": "package main\nimport \"example.com/m/fleet\"\n" +
			"func sum(rows []row, all []fleet.Truck) (n int) {\n\tfor _, r := range rows { // row\n\t\tn += r.id\n\t}\n" +
			"\tfor _, c := range all { // truck\n\t\tn += c.ID\n\t}\n\treturn n\n}\n",
		"row.go":         "package main\ntype row struct { id int; more [40]int }\n",
		"row_windows.go": "package main\ntype row struct { id int }\n",
		"fleet/truck.go": "package fleet\ntype Truck struct { ID int; Name [300]byte }\n",
	}, "main.sum main.go row")
	f := v.File("/src/main.go")
	for line, want := range map[int]string{4: "r (328 bytes)", 7: "c (312 bytes)"} {
		if got := f.CopiedValue(line); got != want {
			t.Errorf("line %d copies %q, want %q", line, got, want)
		}
	}
}

const filtering = `package main

import "net/url"

type filter struct{ u *url.URL }

func (f filter) param(name string) string { return f.u.Query().Get(name) } // param

func (f filter) number(name string) int { return len(f.param(name)) } // number

func (f filter) apply(all []string) (n int) {
	low := f.number("low")
	for _, a := range all {
		if f.number("high") > len(a) { // same
			n += low
		}
		if (filter{parsed(a)}).number("high") > 0 { // other
			n++
		}
		if f.number(a) > 0 { // named
			n++
		}
	}
	return n + f.number("end") // once
}

func serve(in chan string, f filter) {
	for a := range in {
		_ = f.number("x") + len(a) // serves
	}
}
`

func TestTheSameInALoopIsFollowedThroughFunctions(t *testing.T) {
	for mark, want := range map[string]bool{"same": true, "other": false, "named": true, "once": false} {
		v, s := viewOf(t, map[string]string{"main.go": filtering}, "net/url.(*URL).Query",
			"main.filter.param main.go param", "main.filter.number main.go number", "main.filter.apply main.go "+mark)
		if got := v.SameInLoop(s, 0, queries); got != want {
			t.Errorf("%s: %v", mark, got)
		}
	}
	v, s := viewOf(t, map[string]string{"main.go": filtering}, "net/url.(*URL).Query",
		"main.filter.param main.go param", "main.filter.number main.go number", "main.serve main.go serves")
	if v.SameInLoop(s, 0, queries) {
		t.Error("a loop that serves is taken for one over data")
	}
}

// lineWith is the line of a text that ends in a comment with a mark.
func lineWith(t *testing.T, text, mark string) int64 {
	t.Helper()
	before, _, found := strings.Cut(text, "// "+mark+"\n")
	if !found {
		t.Fatalf("no mark %q", mark)
	}
	return int64(strings.Count(before, "\n") + 1)
}

// queries takes url.URL.Query, which says the same of the same address.
func queries(f *Frame) bool { return f.Is("net/url.(*URL).Query") }

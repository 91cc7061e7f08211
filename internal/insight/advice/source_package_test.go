package advice

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// viewOf is a view of module example.com/m, built in /src, with these files, and a stack: functions with their files
// and marks, the innermost first.
func viewOf(t *testing.T, files map[string]string, frames ...string) (*View, *stack) {
	t.Helper()
	v := &View{
		Code: prof.Code{Module: "example.com/m", MainPackage: "example.com/m"},
		Source: func(name string) ([]byte, error) {
			if text, ok := files[strings.TrimPrefix(name, "/src/")]; ok {
				return []byte(text), nil
			}
			return nil, fmt.Errorf("no %s", name)
		},
		Siblings: func(dir string) (names []string) {
			for name := range files {
				if path.Dir("/src/"+name) == dir {
					names = append(names, "/src/"+name)
				}
			}
			return names
		},
	}
	s := stack{}
	for _, one := range frames {
		function, at, own := strings.Cut(one, " ")
		f := frame{function: function, pkg: symbol.PackagePath(function), origin: prof.Standard}
		f.name = strings.TrimPrefix(strings.TrimPrefix(function, f.pkg), ".")
		if own {
			file, mark, _ := strings.Cut(at, " ")
			f.file, f.origin, f.line = "/src/"+file, prof.Own, lineOf(t, files[file], mark)
		}
		s.frames = append(s.frames, f)
	}
	v.stacks = []stack{s}
	return v, &v.stacks[0]
}

// lineOf is the line of a text that ends in a comment with a mark.
func lineOf(t *testing.T, text, mark string) int64 {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if strings.HasSuffix(line, "// "+mark) {
			return int64(i + 1)
		}
	}
	t.Fatalf("no mark %q", mark)
	return 0
}

func TestTypesOfOtherFilesAndPackagesAreKnown(t *testing.T) {
	v, _ := viewOf(t, map[string]string{
		"main.go":        "package main\nimport \"example.com/m/fleet\"\nfunc sum(rows []row, all []fleet.Truck) (n int) {\n\tfor _, r := range rows { // row\n\t\tn += r.id\n\t}\n\tfor _, c := range all { // truck\n\t\tn += c.ID\n\t}\n\treturn n\n}\n",
		"row.go":         "package main\ntype row struct { id int; more [40]int }\n",
		"row_windows.go": "package main\ntype row struct { id int }\n",
		"fleet/truck.go": "package fleet\ntype Truck struct { ID int; Name [300]byte }\n",
	}, "main.sum main.go row")
	f := v.source("/src/main.go")
	for line, want := range map[int]string{4: "r (328 bytes)", 7: "c (312 bytes)"} {
		if got := f.copiedValue(line); got != want {
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
		if got := v.sameInLoop(s, 0); got != want {
			t.Errorf("%s: %v", mark, got)
		}
	}
	v, s := viewOf(t, map[string]string{"main.go": filtering}, "net/url.(*URL).Query",
		"main.filter.param main.go param", "main.filter.number main.go number", "main.serve main.go serves")
	if v.sameInLoop(s, 0) {
		t.Error("a loop that serves is taken for one over data")
	}
}

func TestBodiesThatStayOpen(t *testing.T) {
	const text = `package p

import ("encoding/json"; "errors"; "net/http")

func closed(c *http.Client, r *http.Request) error {
	resp, err := c.Do(r) // closed
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return errors.New("status")
	}
	return nil
}

func late(c *http.Client, r *http.Request) error {
	resp, err := c.Do(r) // late
	if err != nil {
		return err
	}
	if resp.StatusCode != 200 {
		return errors.New("status") // leak
	}
	defer resp.Body.Close()
	return nil
}

func never(c *http.Client, r *http.Request, into any) error {
	resp, err := c.Do(r) // never
	if err != nil {
		return err
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

func handsOn(c *http.Client, r *http.Request) (*http.Response, error) {
	resp, err := c.Do(r) // handsOn
	return resp, err
}

func toHelper(c *http.Client, r *http.Request) error {
	resp, err := c.Do(r) // toHelper
	if err != nil {
		return err
	}
	return use(resp)
}
`
	f, marks := parsed(t, text)
	for mark, want := range map[string]string{"closed": "", "late": "leak", "never": "never", "handsOn": "",
		"toHelper": ""} {
		if got := f.leavesOpen(marks[mark]); got != marks[want] {
			t.Errorf("%s: line %d, want %d", mark, got, marks[want])
		}
	}
}

func TestWhatALineTakesOfAText(t *testing.T) {
	const text = `package p

import ("fmt"; "slices"; "sort"; "strings")

func take(s string, n int, all []int, k int, pending chan int, shared struct{ done chan int }) any {
	_ = strings.Split(s, ",")[2] // direct
	one := strings.Split(s, ",") // one
	two := strings.Fields(s) // two
	every := strings.Split(s, ",") // every
	for _, e := range every { _ = e }
	_ = one[n] + two[0] + two[1]
	_ = fmt.Sprintf("%-20s|%5.1f", s, 1.0) // columns
	_ = fmt.Sprintf("%s=%d %.2f 100%%", s, n, 1.0) // plain
	reply := make(chan int)
	go func() { reply <- 1 }()
	<-reply // reply
	<-pending // parameter
	<-shared.done // field
	best := slices.Clone(all)
	slices.Sort(best) // first
	whole := slices.Clone(all)
	sort.Ints(whole) // whole
	cut := slices.Clone(all)
	slices.Sort(cut) // cut
	cut = cut[:k]
	for range cut {}
	for range whole {}
	for i := range all { defer println(i) } // defers
	return best[:min(k, len(best))]
}
`
	f, marks := parsed(t, text)
	for name, ask := range map[string]struct {
		of   func(int) bool
		want map[string]bool
	}{
		"one part": {f.takesOnePart, map[string]bool{"direct": true, "one": true, "two": false, "every": false}},
		"columns":  {f.setsColumns, map[string]bool{"columns": true, "plain": false}},
		"reply":    {f.waitsForReply, map[string]bool{"reply": true, "parameter": false, "field": false}},
		"the first": {func(line int) bool { return f.sortsForFirst(line) != "" },
			map[string]bool{"first": true, "whole": false, "cut": true}},
		"defers": {f.defersInLoop, map[string]bool{"defers": true}},
	} {
		for mark, want := range ask.want {
			if got := ask.of(marks[mark]); got != want {
				t.Errorf("%s of line %q: %v", name, mark, got)
			}
		}
	}
}

const adding = `package main

func statement(rows []string) string {
	page := ""
	for _, r := range rows {
		page = add(page, r) // grows
		line := add("- ", r) // makes
		use(line)
	}
	return add(page, "end") // once
}

func add(page, row string) string {
	return page + row // plus
}

func use(string) {}
`

func TestStringsThatGrowInAFunctionOfALoop(t *testing.T) {
	for mark, want := range map[string]bool{"grows": true, "makes": false, "once": false} {
		v, s := viewOf(t, map[string]string{"main.go": adding}, "runtime.concatstring2", "main.add main.go plus",
			"main.statement main.go "+mark)
		s.frames[0].origin = prof.Runtime
		if got := v.growing()(s) >= 0; got != want {
			t.Errorf("%s: grows: %v, want %v", mark, got, want)
		}
	}
}

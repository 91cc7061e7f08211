package compiler

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// A pair is read into two sides, and one that is not whole is refused.
func TestReadPair(t *testing.T) {
	const text = "kind: inlining | escape\nfunction: (*T).f\nabout: x\n-- a.go --\npackage a\n+\n+// B\n-func A() {}\n" +
		"+func B() {} //<- cause\n"
	p, err := readPair("a", []byte(text))
	if err != nil || p.file != "a.go" || p.line != 4 || len(p.kinds) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	if a, b := p.sources(sideA)["a.go"], p.sources(sideB)["a.go"]; a != "package a\nfunc A() {}\n" ||
		b != "package a\n\n// B\nfunc B() {} //<- cause\n" {
		t.Errorf("A %q, B %q", a, b)
	}
	for old, young := range map[string]string{"inlining |": "magic |", "function: (*T).f\n": "", " //<- cause": "",
		"about": "abuot", "kind: inlining | escape\n": ""} {
		if _, err := readPair("a", []byte(strings.Replace(text, old, young, 1))); err == nil {
			t.Errorf("read a pair with %q for %q", young, old)
		}
	}
}

// cart is a pair whose decision is at cart.go:9.
func cart(why ...string) (*pair, record) {
	return &pair{Name: "cart", kinds: []string{"inlining"}, function: "(*Cart).add", file: "cart.go", line: 9},
		record{Pair: "cart", Answer: &answer{Headline: "B is slower than A: Total +80 %", Why: why}}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		about       string
		why         []string
		named, kind bool
	}{
		{"the issue's words", []string{"why: cart.(*Cart).add is no longer inlined (cost 84, limit 80): +3.1 ns a call"}, true, true},
		{"the line", []string{"why: no longer inlined: cart.go:9"}, true, true},
		{"the second line", []string{"why: +3 ns in cart.Total", "why: (*Cart).add is no longer inlined"}, true, true},
		{"another function", []string{"why: cart.Total is no longer inlined"}, false, true},
		{"another line", []string{"why: no longer inlined: cart.go:19"}, false, true},
		{"a function whose name has the name", []string{"why: cart.address is no longer inlined"}, false, true},
		{"another kind", []string{"why: i at cart.go:9 now escapes"}, false, false},
		{"nothing", nil, false, false},
	} {
		p, r := cart(c.why...)
		if j, ok := judgePair(p, r); !ok || j.Named != c.named || j.Kind != c.kind {
			t.Errorf("%s: %+v", c.about, j)
		}
	}
	p, r := cart()
	r.Answer, r.Failed = nil, "hone ended with 2"
	if j, ok := judgePair(p, r); !ok || j.Named {
		t.Errorf("%+v, want that hone failed to count", j)
	}
	if _, ok := judgePair(p, record{}); ok {
		t.Error("judged a pair that was not measured")
	}
}

// Lines that explain are found in what hone prints, and those of the compiler among them.
func TestRead(t *testing.T) {
	a := read("B is slower than A: Escape +80 %\n  A  HEAD^\n  Escape  1 -> 2 us\n  why: x at parse.go:31 now escapes: fmt.Sprintf\n" +
		"why: +3 ns in Parse\nchanged: inlined, a function\n")
	if !a.slower() || len(a.Why) != 2 || len(a.decisions()) != 1 {
		t.Errorf("%+v, %q", a, a.decisions())
	}
}

// The closed half has sums, and its pairs only if they are asked for. Of commits those are named that hone is not silent about.
func TestDocument(t *testing.T) {
	p, r := cart("why: (*Cart).add is no longer inlined")
	hidden, h := cart()
	hidden.Name, h.Pair, hidden.Closed = "scan", "scan", true
	quiet, loud := record{NoOp: "a/b 1", Answer: &answer{}}, record{NoOp: "a/b 2", Answer: &answer{Why: []string{"why: f is inlined"}}}
	for _, shown := range []bool{false, true} {
		result := new(bed.Result)
		config{closed: shown}.write(result, []record{h, r, quiet, loud}, []*pair{p, hidden})
		text := result.Text()
		for _, want := range []string{
			"pairs of the open half: a line names the decision of the compiler, with its function or line: 1 of 1",
			"pairs of the closed half: a line names the decision of the compiler, with its function or line: 0 of 1",
			"commits that change nothing: a decision of the compiler is named: 1 of 2", "a/b 2   why: f is inlined",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, "scan") != shown {
			t.Errorf("closed %v:\n%s", shown, text)
		}
	}
}

// Tasks are pairs, and commits of libraries.
func TestTasks(t *testing.T) {
	all, err := tasks(pairs(t), []string{"scan"}, 60)
	if err != nil || len(all) != 61 || all[0].String() != "scan" {
		t.Fatalf("%d tasks, %v", len(all), err)
	}
	seen := map[string]bool{}
	for _, one := range all[1:] {
		seen[one.String()] = true
		if one.noOp.Benchmark == "" {
			t.Errorf("%s has no benchmark", one)
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d different commits, want 60", len(seen))
	}
	if _, err := tasks(pairs(t), []string{"scam"}, 0); err == nil {
		t.Error("a pair that is not there was accepted")
	}
}

// The repository of a pair has both sides as commits.
func TestCommit(t *testing.T) {
	dir, all := t.TempDir(), pairs(t)
	p := all[slices.IndexFunc(all, func(p *pair) bool { return p.Name == "cart" })]
	if err := p.commit(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for ref, side := range map[string]string{"HEAD^": sideA, "HEAD": sideB} {
		text, err := corpus.Git(t.Context(), dir, "", "show", ref+":cart.go")
		if err != nil || strings.TrimSpace(string(text)) != strings.TrimSpace(p.sources(side)["cart.go"]) {
			t.Errorf("%s: %s, %v", ref, text, err)
		}
	}
}

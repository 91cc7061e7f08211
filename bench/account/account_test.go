package account

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

var every = flag.Bool("every", false, "verify all programs of the corpus, not only a few")

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func corpus(t *testing.T) []*program {
	t.Helper()
	programs, err := openCorpus(corpusDir, "1")
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// There are 24 programs, half of them closed, and one of each kind but what is not accounted.
func TestCorpus(t *testing.T) {
	programs, closed, of := corpus(t), 0, map[string]int{notAccounted: 1}
	for _, p := range programs {
		of[p.kind]++
		if p.Closed {
			closed++
		}
	}
	if len(programs) != 24 || closed != 12 || len(of) != len(kinds) {
		t.Errorf("%d programs, %d closed, of %v", len(programs), closed, of)
	}
}

// The head of a program is read, and one without a kind is refused.
func TestHead(t *testing.T) {
	var p program
	err := p.read("// Command x.\n//\n// planted: free spans, 72 MB\n// env: GOGC=off A=b\n// needs: disk\npackage main\nimport \"C\"\n")
	if err != nil || p.kind != "free spans" || p.bytes != 72e6 || len(p.env) != 2 ||
		!slices.Equal(p.needs, []string{"disk", compiler}) {
		t.Errorf("%+v, %v", p, err)
	}
	for _, head := range []string{"// Command x.\npackage main\n", "// planted: gold, 3 MB\npackage main\n",
		"// planted: binary, much\npackage main\n"} {
		if err := new(program).read(head); err == nil {
			t.Errorf("read %q", head)
		}
	}
}

// The names of the issue are of the kinds.
func TestKindOf(t *testing.T) {
	for name, want := range map[string]string{
		"live heap": "live heap", "garbage not yet collected": "garbage", "free spans kept": "free spans",
		"fragmentation in spans": "fragmentation", "goroutine stacks": "goroutine stacks",
		"runtime structures (mspans, mcaches, profile buckets, GC bitmaps)": "runtime structures",
		"binary (text, data, shared)":                                       "binary", "mmap of files": "file mapping",
		"cgo/other anonymous": "anonymous outside of the runtime", "page cache charged to the pod": pageCache,
		"shared memory": "shared memory", "not accounted": notAccounted, "gold": "gold",
	} {
		if got := kindOf(name).name; got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// nightly is a program of 100 MB, of which 72 are free spans.
func nightly(parts ...part) (*program, record) {
	return &program{Name: "nightly", kind: "free spans", bytes: 72e6}, record{Program: "nightly",
		Truth: &truth{Before: 100e6, After: 101e6}, Answer: &answer{RSS: 100e6, Parts: parts}}
}

func TestJudge(t *testing.T) {
	free, live, binary := part{"free spans kept", 72e6}, part{"live heap", 19e6}, part{"binary", 9e6}
	for _, c := range []struct {
		about       string
		says        []part
		adds, named bool
	}{
		{"right", []part{free, live, binary}, true, true},
		{"the page cache is not in the resident set", []part{free, live, binary, {"page cache", 50e6}}, true, true},
		{"what is not accounted does not count", []part{free, live, {"not accounted", 9e6}}, false, true},
		{"a little that is not accounted", []part{free, live, {"binary", 7e6}, {"not accounted", 2e6}}, true, true},
		{"too much", []part{free, live, {"binary", 15e6}}, false, true},
		{"the binary cannot shrink", []part{{"free spans kept", 40e6}, {"binary", 60e6}}, true, true},
		{"another one is larger", []part{free, {"live heap", 80e6}}, false, false},
		{"two parts of one kind", []part{free, {"live heap", 40e6}, {"live heap of caches", 40e6}}, false, false},
		{"a part of no kind is larger", []part{{"gold", 90e6}, {"free spans kept", 10e6}}, true, false},
		{"nothing", nil, false, false},
	} {
		p, r := nightly(c.says...)
		if j, ok := judge(p, r); !ok || j.AddsUp != c.adds || j.Named != c.named {
			t.Errorf("%s: %+v", c.about, j)
		}
	}
	p, r := nightly()
	r.Answer, r.Failed = nil, "hone ended with 2"
	if j, ok := judge(p, r); !ok || j.Named || j.AddsUp {
		t.Errorf("%+v, want that hone failed to count", j)
	}
	r.Truth = nil
	if _, ok := judge(p, r); ok {
		t.Error("judged a program that did not run")
	}
}

// What hone says of the resident set has to be right, too, and runtime structures count where they were planted.
func TestJudgeTheRest(t *testing.T) {
	p, r := nightly(part{"free spans kept", 100e6})
	r.Answer.RSS = 90e6
	if j, _ := judge(p, r); j.AddsUp {
		t.Error("a wrong resident set was accepted")
	}
	p, r = nightly(part{"runtime structures", 60e6}, part{"live heap", 40e6})
	p.kind = "runtime structures"
	r.Truth.Left.Cycles = 1
	if j, _ := judge(p, r); !j.Named || !j.Collecting {
		t.Errorf("%+v, want the planted kind, and that the program collected", j)
	}
}

// The closed half has sums, and its programs only if they are asked for.
func TestDocument(t *testing.T) {
	p, r := nightly(part{"free spans kept", 72e6}, part{"live heap", 19e6}, part{"binary", 9e6}, part{"gold", 0})
	hidden, h := nightly(part{"live heap", 100e6})
	hidden.Name, h.Program, hidden.Closed = "traced", "traced", true
	missing := record{Program: "thumbs", Skipped: "no gcc"}
	for _, shown := range []bool{false, true} {
		result := new(bed.Result)
		config{closed: shown}.write(result, []record{h, r, missing}, []*program{p, hidden})
		text := result.Text()
		for _, want := range []string{
			"open half of the corpus: the largest part that can shrink is the planted one: 1 of 1",
			"closed half of the corpus: the largest part that can shrink is the planted one: 0 of 1",
			"nightly  free spans  72.0", "thumbs   no gcc", "nightly: parts of no kind: gold",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, "traced") != shown {
			t.Errorf("closed %v:\n%s", shown, text)
		}
	}
}

// All programs build, and what they planted is there, by the runtime and by the kernel.
func TestProgramsHoldWhatTheySay(t *testing.T) {
	few := []string{"nightly", "slots", "journal", "thumbs"}
	args := []string{"vet", "./..."}
	if d, err := proc.Run(t.Context(), -1, proc.Command{Program: "go", Args: args, Dir: corpusDir}); err != nil {
		t.Errorf("%v: %s", err, d.Stderr)
	}
	for _, p := range corpus(t) {
		if !*every && !slices.Contains(few, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			if reason := p.lacks(dir); reason != "" {
				t.Skip(reason)
			}
			binary := filepath.Join(dir, p.Name)
			if err := p.build(t.Context(), binary); err != nil {
				t.Fatal(err)
			}
			seen, err := p.observe(t.Context(), binary, func(int) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s MB, want %s; resident %s + %s MB, kernel %s, after %s; base %+v, now %+v", p.kind,
				megabytes(p.grown(seen)), megabytes(p.bytes), megabytes(seen.Base.RSS), megabytes(seen.Now.RSS-seen.Base.RSS),
				megabytes(seen.Before), megabytes(seen.After), seen.Base, seen.Now)
			if err := p.check(seen); err != nil {
				t.Error(err)
			}
			if seen.Left.Cycles != seen.Now.Cycles {
				t.Error("it collects by itself while it stays")
			}
			if off := float64(seen.Before)/float64(seen.Now.RSS) - 1; off > 0.03 || off < -0.03 {
				t.Errorf("it says %s MB, the kernel %s", megabytes(seen.Now.RSS), megabytes(seen.Before))
			}
		})
	}
}

package compiler

import (
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/proc"
)

var (
	every = flag.Bool("every", false, "verify the decisions of all pairs of the corpus, not only of a few")
	times = flag.Bool("times", false, "verify that B of each pair is slower than A; takes a few minutes")
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func pairs(t *testing.T) []*pair {
	t.Helper()
	all, err := openCorpus(corpusDir, "1")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// few are verified without -every: one of each kind.
var few = []string{"scan", "header", "little", "hashers", "vowels"}

// The corpus has 40 pairs, half of them closed, and each kind. Both sides of each are as gofmt writes them.
func TestCorpus(t *testing.T) {
	closed, of := 0, map[string]int{}
	all := pairs(t)
	for _, p := range all {
		if p.Closed {
			closed++
		}
		of[p.kinds[0]]++
		for _, side := range []string{sideA, sideB} {
			for file, source := range p.sources(side) {
				if file == "go.mod" {
					continue
				}
				if done, err := format.Source([]byte(source)); err != nil || string(done) != source {
					t.Errorf("%s: %s%s: not as gofmt writes it: %v\n%s", p.Name, side, file, err, done)
				}
				if n := strings.Count(source, "\n"); n > 60 {
					t.Errorf("%s: %s has %d lines, want at most 60", p.Name, file, n)
				}
			}
		}
	}
	if len(all) < 40 || closed != len(all)/2 || len(of) != len(kinds) {
		t.Errorf("%d pairs, %d of them closed, kinds %v", len(all), closed, of)
	}
}

// The compiler decides about B as the pair says, and about A otherwise.
func TestDecisions(t *testing.T) {
	for _, p := range pairs(t) {
		if !*every && !slices.Contains(few, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			a, b := decisions(t, p, sideA), decisions(t, p, sideB)
			at := fmt.Sprintf("./%s:%d:", p.file, p.line)
			var wrong string
			switch p.kinds[0] {
			case "inlining":
				cannot := "cannot inline " + p.function
				if len(p.kinds) == 1 && count(b, cannot) <= count(a, cannot) {
					wrong = "the function cannot be inlined"
				}
			case "devirtualisation":
			case "bounds":
				if count(b, at, "Found Is") == 0 || count(a, "Found IsInBounds") >= count(b, "Found IsInBounds") {
					wrong = "checks at the line, and more of them than A has"
				}
			default:
				if count(b, at, "heap") == 0 && count(b, at, "zero-copy") == count(a, "zero-copy") ||
					count(a, p.file, "heap") >= count(b, p.file, "heap") && count(a, "zero-copy") == 0 {
					wrong = "something on the heap at the line that A has not"
				}
			}
			direct := "inlining call to "
			if len(p.kinds) == 2 && p.kinds[1] != "escape" && count(a, direct) <= count(b, direct) {
				wrong = "fewer calls that are inlined"
			}
			if wrong != "" {
				t.Errorf("want of B: %s\nA:\n%s\nB:\n%s", wrong, strings.Join(a, "\n"), strings.Join(b, "\n"))
			}
		})
	}
}

// count is how many lines have all of some words.
func count(lines []string, words ...string) (n int) {
	for _, line := range lines {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) {
			n++
		}
	}
	return n
}

// decisions are what the compiler says of one side, each line once.
func decisions(t *testing.T, p *pair, side string) (lines []string) {
	t.Helper()
	dir := t.TempDir()
	if err := p.layOut(side, dir); err != nil {
		t.Fatal(err)
	}
	d, err := proc.Run(t.Context(), -1, proc.Command{Program: "go", Dir: dir,
		Args: []string{"build", "-gcflags=-m=2 -d=ssa/check_bce", "-o", os.DevNull, "."}})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(d.Stderr)) {
		if line = strings.TrimRight(line, "\n"); !slices.Contains(lines, line) && !strings.Contains(line, ":   ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// B is at least a tenth slower than A.
func TestBIsSlower(t *testing.T) {
	if !*times {
		t.Skip("measures: -times")
	}
	for _, p := range pairs(t) {
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			var sides []gotest.Side
			for i, side := range []string{sideA, sideB} {
				tree := filepath.Join(dir, fmt.Sprint(i))
				if err := p.layOut(side, tree); err != nil {
					t.Fatal(err)
				}
				b, err := gotest.Build(t.Context(), tree, filepath.Join(dir, fmt.Sprintf("%d.test", i)))
				if err != nil {
					t.Fatal(err)
				}
				sides = append(sides, gotest.Side{Binary: b, Pattern: "."})
			}
			took, err := figures.Sampled(5, 2, func(_, i int) (float64, error) {
				s, err := sides[i].Run(t.Context(), 1, 40*time.Millisecond)
				return slices.Min(append(s, 1e9)), err
			})
			if err != nil {
				t.Fatal(err)
			}
			a, b := slices.Min(took[0]), slices.Min(took[1])
			t.Logf("%.2f us -> %.2f us, x%.3f", a*1e6, b*1e6, b/a)
			if b < 1.1*a {
				t.Errorf("B takes %.3f times as long as A, want 1.1 or more", b/a)
			}
		})
	}
}

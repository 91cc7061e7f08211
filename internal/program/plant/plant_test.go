package plant

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// busy works for as much CPU time as it is told, and prints how much work that was.
const busy = `package main

import (
	"fmt"
	"syscall"
	"time"
)

type job struct{ sum uint64 }

//go:noinline
func (j *job) step(n int) {
	for i := range uint64(n) {
		j.sum ^= i * j.sum
	}
}

func clock() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func main() {
	j, steps := &job{1}, 0
	for begin := clock(); clock()-begin < 400*time.Millisecond; steps++ {
		j.step(2000)
	}
	fmt.Println(steps)
}
`

// A process with a planted slow-down of its own size does half of the work in the same CPU time.
func TestAPlantedFunctionTakesItsPart(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/busy\ngo 1.24\n", "main.go": busy})
	overlay := overlayOf(t, Place{filepath.Join(dir, "main.go"), 12, 1}, Cost{Part: 1})
	plain, slower := steps(t, dir, nil), steps(t, dir, overlay)
	if ratio := plain / slower; ratio < 1.6 || ratio > 2.6 {
		t.Errorf("%.0f steps, and %.0f with the slow-down: a ratio of %.2f, want about 2", plain, slower, ratio)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.go")); err != nil || string(text) != busy {
		t.Errorf("the source was touched: %v", err)
	}
}

// A module with an old language, or without a go line, can be planted in: the added file has a language of its own.
func TestAModuleOfAnOldLanguage(t *testing.T) {
	const old = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"done\") }\n"
	for _, line := range []string{"", "go 1.10\n", "go 1.19\n", "go 1.21\n"} {
		dir := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/old\n" + line, "main.go": old})
		if got := run(t, dir, overlayOf(t, Place{filepath.Join(dir, "main.go"), 5, 1}, Cost{Part: 1})); got != "done" {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func overlayOf(t *testing.T, at Place, cost Cost) map[string]string {
	t.Helper()
	overlay, err := Overlay(at, cost)
	if err == nil {
		overlay, err = Write(overlay, filepath.Join(t.TempDir(), "planted"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return overlay
}

func steps(t *testing.T, dir string, overlay map[string]string) float64 {
	t.Helper()
	best := 0.0
	for range 3 { // what a neighbour takes of the caches is not the program's
		n, err := strconv.ParseFloat(run(t, dir, overlay), 64)
		if err != nil {
			t.Fatal(err)
		}
		best = max(best, n)
	}
	return best
}

func TestWhatCannotBePlanted(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"main.go": busy, "broken.go": "package main\nfunc ("})
	for at, want := range map[Place]string{
		{filepath.Join(dir, "main.go"), 3, 1}:   "main.go:3",
		{filepath.Join(dir, "broken.go"), 2, 1}: "broken.go:2:",
		{filepath.Join(dir, "gone.go"), 2, 1}:   "gone.go",
	} {
		if _, err := Overlay(at, Cost{Part: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", at, err, want)
		}
	}
}

const parserText = `package parse

// Fields is called once for each operation, cut often, and New once at the start.
func Fields(s string) (all []string) {
	for {
		head, rest, ok := cut(s)
		all = append(all, head)
		if !ok {
			return all
		}
		s = rest
	}
}

//go:noinline
func cut(s string) (head, rest string, ok bool) {
	for i := range s {
		if s[i] == ' ' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

type Reader[T any] struct{ v T }

func New[T any](v T) *Reader[T] { return &Reader[T]{v} }

func (r *Reader[T]) Read(s string) int {
	n := 0
	for _, f := range Fields(s) {
		n += len(f)
	}
	return n
}
`

const parserTestText = `package parse

import "testing"

func BenchmarkRead(b *testing.B) {
	r := New(1)
	for range b.N {
		r.Read("one two three")
	}
}
`

// The function that each operation calls once is chosen: not the one that is called at the start, and not the one that
// is called most often.
func TestTheFunctionOfAnOperationIsChosen(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/parse\ngo 1.24\n",
		"parse.go": parserText, "parse_test.go": parserTestText})
	binary, err := reach.BuildTests(context.Background(), reach.Side{Dir: dir, Targets: []string{"."}},
		[]string{"example.com/parse"}, filepath.Join(t.TempDir(), "parse.test"))
	if err != nil {
		t.Fatal(err)
	}
	var runs [2]reach.Counters
	for i, times := range []string{"1x", "21x"} {
		var failed error
		if runs[i], failed, err = binary.Run(context.Background(), "-test.run=^$", "-test.bench=.",
			"-test.benchtime="+times); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
	}
	got, ok, err := Choose(runs[0], runs[1], 20, map[string]string{"example.com/parse": dir})
	if err != nil || !ok || got.Name != "parse.(*Reader).Read" || got.Place.Line != 29 || got.Calls != 21 {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if got, ok, err := Choose(runs[0], runs[1], 1000, map[string]string{"example.com/parse": dir}); ok || err != nil {
		t.Errorf("nothing is called so often: %+v, %v", got, err)
	}
}

package gobench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// reachedModule has benchmarks that may all execute Rare, which changes. Those whose names begin with Not do not.
var reachedModule = map[string]string{
	"go.mod":    "module example.com/m\n\ngo 1.24\n",
	"notes.bin": "notes",
	"m.go": `package m

import (
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"
)

var word = regexp.MustCompile("a+")

//go:noinline
func Word(n int) int { return len(word.FindString("banana")) + n }

//go:noinline
func Rare(n int) int { return n + 1 }

//go:noinline
func Unused(n int) int { return n + 1 }

//go:noinline
func Some(n int) int {
	if n < 0 {
		return Rare(n)
	}
	return n
}

var once = sync.OnceValue(func() int { return Rare(1) })

var calls int

//go:noinline
func Late(n int) int {
	if calls++; calls == 2000 {
		return Rare(n)
	}
	return n
}

var begun sync.Once

func Janitor(n int) int {
	begun.Do(func() {
		go func() {
			for range time.Tick(100 * time.Millisecond) {
				Rare(1)
			}
		}()
	})
	return n
}

func Start(n int) int {
	if n < -1 {
		exec.Command("no such program", "x").Run()
	}
	return Some(n)
}

func Read(n int) int {
	text, _ := os.ReadFile("no" + "tes" + string(rune('.')) + string([]byte{'b', 'i', 'n'}))
	return Some(len(text))
}

type Shape interface{ Area(n int) int }

type Square struct{}

func (Square) Area(n int) int { return n * n }

type Round struct{}

func (Round) Area(n int) int { return Rare(n) }

var shapes = map[bool]Shape{false: Square{}, true: Round{}}

func Sum[T int | int64](n T) T { return n + T(Rare(int(n))) }

func Inlined(n int) int { return n + 1 }

func Other[T int | int64](n T) T { return n + T(Some(int(n))) }
`,
	"m_test.go": `package m

import "testing"

var sink any

func each(b *testing.B, f func(int) int) {
	for i := range b.N {
		sink = f(i)
	}
}

func BenchmarkDirect(b *testing.B) { each(b, Rare) }
func BenchmarkWord(b *testing.B) { each(b, Word) }
func BenchmarkNotSome(b *testing.B) { each(b, Some) }
func BenchmarkSetUp(b *testing.B) { each(b, Some); Rare(2) }
func BenchmarkOnce(b *testing.B) { each(b, func(n int) int { return Some(n) + once() }) }
func BenchmarkLate(b *testing.B) { each(b, Late) }
func BenchmarkCleanup(b *testing.B) { b.Cleanup(func() { Rare(3) }); each(b, Some) }
func BenchmarkJanitor(b *testing.B) { each(b, Janitor) }
func BenchmarkStart(b *testing.B) { each(b, Start) }
func BenchmarkRead(b *testing.B) { each(b, Read) }
func BenchmarkShape(b *testing.B) { each(b, shapes[true].Area) }
func BenchmarkNotShape(b *testing.B) { each(b, shapes[false].Area) }
func BenchmarkSum(b *testing.B) { each(b, Sum[int]) }
func BenchmarkNotSum(b *testing.B) { each(b, Other[int]) }
func BenchmarkInlined(b *testing.B) {
	for i := range b.N {
		sink = Inlined(i)
	}
}
func BenchmarkSub(b *testing.B) {
	b.Run("some", func(b *testing.B) { each(b, Some) })
	b.Run("rare", func(b *testing.B) { each(b, Rare) })
}
func BenchmarkNotSub(b *testing.B) {
	b.Run("some", func(b *testing.B) { each(b, Some) })
	b.Run("shape", func(b *testing.B) { each(b, shapes[false].Area) })
}
func BenchmarkSkipped(b *testing.B) { b.Skip("not here"); each(b, Some) }
func TestRare(t *testing.T) { if Rare(1) != 2 { t.Fatal() } }
`,
}

// untilMeasured ends a measurement when the first benchmark would be measured.
type untilMeasured struct {
	watcher
	end func()
}

func (u *untilMeasured) Phase(name string, _ time.Duration) {
	if strings.HasPrefix(name, "find the benchmarks of") {
		u.end()
	}
}

// What executes nothing that changed is not measured, and passes. All of the others are, also those that execute it in
// their set-up, late, in the background, or where counters cannot tell.
func TestBenchmarksThatExecuteNothingThatChanged(t *testing.T) {
	now := moduletest.WriteFiles(t, reachedModule)
	for file, edit := range map[string][]string{
		"m.go": {"func Rare(n int) int { return n + 1 }", "func Rare(n int) int { return n + 2 }",
			"func Inlined(n int) int { return n + 1 }", "func Inlined(n int) int { return n + 2 }",
			"func Unused(n int) int { return n + 1 }", "func Unused(n int) int { return n + 2 }", `"a+"`, `"[an]+"`},
		"m_test.go": {"Rare(1) != 2", "Rare(1) != 3"}, "notes.bin": {"notes", "other"},
	} {
		text := strings.NewReplacer(edit...).Replace(reachedModule[file])
		if err := os.WriteFile(filepath.Join(now, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	limit, err := gate.ParseOf("allocs<=0", measure.OfBenchmarks)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	result, _ := Run(ctx, Task{Test: spec.Test{Gates: []gate.Gate{limit}}, WorkDir: now, Progress: &untilMeasured{end: end},
		Bench: spec.Bench{Vs: moduletest.WriteFiles(t, reachedModule), Procs: []int{1}}, Out: outIn(t)})
	if result == nil || result.Reach == nil {
		t.Fatalf("no reach: %+v", result)
	}
	var left []string
	for _, u := range result.Unchanged {
		if left = append(left, u.Name); u.Reason != benchmarks.NotExecuted || u.Gates[0].Outcome != gate.Passed ||
			u.Gates[0].Reason != benchmarks.NotExecuted {
			t.Errorf("%+v", u)
		}
	}
	slices.Sort(left)
	if want := []string{"NotShape", "NotSome", "NotSub", "NotSum"}; !slices.Equal(left, want) {
		t.Errorf("not measured: %q, want %q; notes %+v", left, want, result.Notes)
	}
	by := map[string]string{}
	for _, f := range result.Reach.Functions {
		slices.Sort(f.Benchmarks)
		if by[f.Name] = strings.Join(f.Benchmarks, " "); f.Uncounted != "" {
			t.Errorf("%s: %s", f.Name, f.Uncounted)
		}
	}
	rare := "Cleanup Direct Janitor Late Once SetUp Shape Sub Sum"
	if len(by) != 5 || by["m.Inlined"] != "Inlined" || by["m.Rare"] != rare || by["m.Unused"] != "" ||
		by["m.Word"] != "Word" || by["m.init"] != "" {
		t.Errorf("executed: %v", by)
	}
	notes := ""
	for _, n := range result.Notes {
		notes += n.Text + "\n"
	}
	for _, want := range []string{"Start: it starts other processes", "Read: it may read notes.bin",
		"Skipped: with counters, A did not run all of it"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
}

// Benchmarks that are known to execute something that changed come first, after that the others of their packages.
func TestTheOrderOfBenchmarks(t *testing.T) {
	first, second := &pkg{static: &static{executes: map[string]bool{}}}, &pkg{static: &static{executes: map[string]bool{
		"BenchmarkC": true}}}
	m := &measurement{}
	for _, b := range []struct {
		name string
		of   *pkg
	}{{"A", first}, {"B", second}, {"C/sub-2", second}, {"D", &pkg{}}} {
		m.benches = append(m.benches, &bench{name: b.name, pkg: b.of})
	}
	m.executingFirst()
	got := ""
	for _, b := range m.benches {
		got += b.name + " "
	}
	if got != "C/sub-2 B A D " {
		t.Errorf("order %s", got)
	}
}

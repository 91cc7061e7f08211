package gobench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/share"
)

// needTurns skips where test binaries are not kept alive.
func needTurns(t *testing.T) {
	if !turns.CanLive {
		t.Skip("hone starts no living processes on this system")
	}
}

// trial has benchmarks of every kind that the testing package knows.
const trial = `package trial

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

var asked = flag.Bool("asked", false, "")
var flagOf bool

func TestMain(m *testing.M) {
	flag.Parse()
	flagOf = flag.Lookup("test.bench").Value.String() != ""
	code := m.Run()
	if f, err := os.OpenFile("ended", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(f, "ended")
		f.Close()
	}
	os.Exit(code)
}

func work(n int) (sum int) {
	for i := range n {
		sum += i % 7
	}
	return sum
}

var sink int
var kept []byte

func BenchmarkLoop(b *testing.B) {
	if !flagOf {
		b.Fatal("TestMain saw no benchmark")
	}
	for b.Loop() {
		sink += work(1000)
	}
}

func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"small", "a b[1]|x", "small"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(1000)
			fmt.Println("printed by the benchmark")
			for i := 0; i < b.N; i++ {
				b.StopTimer()
				kept = make([]byte, 100)
				b.StartTimer()
				sink += work(2000)
			}
			b.ReportMetric(7, "odd/op")
		})
	}
}

func BenchmarkAllocs(b *testing.B) {
	for range b.N {
		kept = make([]byte, 512)
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			work(1000)
		}
	})
}

func BenchmarkLong(b *testing.B) {
	for range b.N {
		time.Sleep(60 * time.Millisecond)
	}
}
`

const outside = `package trial_test

import . "testing"

var total int

func BenchmarkOutside(b *B) {
	for i := range b.N {
		total += i * i % 3
	}
}

func BenchmarknotOne(n int) {}
`

// Living processes give what go test gives: names, units, operations, and TestMain runs to its end.
func TestTurnsKeepTheMeaningOfBenchmarks(t *testing.T) {
	needTurns(t)
	files := map[string]string{"go.mod": "module example.com/trial\n\ngo 1.24\n", "trial_test.go": trial,
		"out_test.go": outside}
	now := moduletest.WriteFiles(t, files)
	r := Task{Test: spec.Test{Count: 1}, Bench: spec.Bench{Vs: moduletest.WriteFiles(t, files), All: true, Procs: []int{1},
		Timeout: time.Minute}, WorkDir: now, Block: 5 * time.Millisecond, Out: outIn(t), Progress: &watcher{}}
	result, err := Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]string{}
	for _, b := range result.Benchmarks {
		if long := strings.HasPrefix(b.Name, "Long"); (b.How == benchmarks.ByTurns) == long || (b.Why == "") == long {
			t.Errorf("%s by %s: %s", b.Name, b.How, b.Why)
		}
		for _, v := range b.Verdicts {
			units[b.Name] += v.Measure.Key + " "
			if v.Measure == measure.OperationTime && b.How == benchmarks.ByTurns && v.Pairs < fewestPairs {
				t.Errorf("%s: %d pairs", b.Name, v.Pairs)
			}
			if v.Measure == measure.OperationBytes && strings.HasPrefix(b.Name, "Allocs") && (v.A < 512 || v.A > 520) {
				t.Errorf("%s allocates %v B", b.Name, v.A)
			}
		}
	}
	for _, name := range []string{"Loop", "Sub/small", "Sub/a_b[1]|x", "Sub/small#01", "Allocs", "Parallel", "Outside",
		"Long"} {
		want := "time "
		if strings.HasPrefix(name, "Sub") {
			want += "cpu MB/s odd/op "
			units[name] = strings.Replace(units[name], "MB/s odd/op cpu ", "cpu MB/s odd/op ", 1)
		}
		if got := units[name]; !strings.HasPrefix(got, "time ") || !strings.Contains(got, "bytes allocs") ||
			strings.HasPrefix(name, "Sub") && (!strings.Contains(got, "odd/op") || !strings.Contains(got, "MB/s")) {
			t.Errorf("%s shows %q, want %s", name, got, want)
		}
	}
	ended, err := os.ReadFile(filepath.Join(now, "ended"))
	if err != nil || strings.Count(string(ended), "\n") < len(result.Benchmarks) {
		t.Errorf("TestMain ended %d times, %v", strings.Count(string(ended), "\n"), err)
	}
	text, err := os.ReadFile(r.Out[1])
	if err != nil || strings.Count(string(text), "BenchmarkLoop ") != 1 {
		t.Errorf("results: %v\n%s", err, text)
	}
	if left, _ := filepath.Glob(filepath.Join(now, "hone*")); len(left) > 0 {
		t.Errorf("files of hone are left in the package: %v", left)
	}
}

// A benchmark that a living process cannot run gets a process for each sample, and the
// reason is said.
func TestWhatCannotTakeTurnsGetsProcesses(t *testing.T) {
	needTurns(t)
	const text = `package odd

import (
	"os"
	"testing"
)

var n int

func BenchmarkEnds(b *testing.B) {
	if n++; n > 4 && os.Getenv("LIVE") == "" {
		os.Exit(0)
	}
	for b.Loop() {
		n += n % 3 * 0
	}
}
`
	files := map[string]string{"go.mod": "module example.com/odd\n\ngo 1.24\n", "odd_test.go": text, "mine.json": "{}"}
	base := Task{Test: spec.Test{Count: 2}, Bench: spec.Bench{Vs: moduletest.WriteFiles(t, files), All: true},
		WorkDir: moduletest.WriteFiles(t, files), Block: 10 * time.Millisecond, Progress: &watcher{}}
	for _, c := range []struct {
		name, want string
		change     func(r *Task)
	}{
		{"it ends the process", "gave no answer", func(*Task) {}},
		{"operations", "--benchtime 100x", func(r *Task) { r.Iterations = 100 }},
		{"a long time", "--benchtime 60ms is longer than a turn", func(r *Task) { r.BenchTime = 60 * time.Millisecond }},
		{"an overlay", "-overlay of their own",
			func(r *Task) { r.Options.Flags = []string{"-overlay=" + filepath.Join(r.WorkDir, "mine.json")} }},
	} {
		r := base
		r.Out = outIn(t)
		c.change(&r)
		result, err := Run(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if b := result.Benchmarks[0]; b.How != benchmarks.ByProcesses || !strings.Contains(b.Why, c.want) || b.Rounds != 2 {
			t.Errorf("%s: by %s after %d rounds: %s", c.name, b.How, b.Rounds, b.Why)
		}
	}
}

// A benchmark that panics in a block panics in a process too, which says why: it is a failure, and has no verdict.
func TestABlockThatFails(t *testing.T) {
	needTurns(t)
	const text = `package odd

import (
	"os"
	"testing"
)

func BenchmarkFew(b *testing.B) {
	if _, err := os.Stat("enough"); err == nil && !testing.Short() {
		panic("enough")
	}
	for b.Loop() {
	}
}
`
	files := map[string]string{"go.mod": "module example.com/odd\n\ngo 1.24\n", "odd_test.go": text}
	dir := moduletest.WriteFiles(t, files)
	enough := filepath.Join(dir, "enough")
	ticks := 0
	w := &watcher{onTick: func() {
		if ticks++; ticks == 2 {
			if err := os.WriteFile(enough, nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	}}
	r := Task{Test: spec.Test{Count: 5}, Bench: spec.Bench{Vs: moduletest.WriteFiles(t, files), All: true}, WorkDir: dir,
		Block: 10 * time.Millisecond, Progress: w, Out: outIn(t)}
	result, err := Run(t.Context(), r)
	if err != nil || len(result.Failures) != 1 || !strings.Contains(result.Failures[0].Output, "panic: enough") ||
		len(result.Benchmarks) != 0 {
		t.Fatalf("it panics in processes, too: %+v, %v", result, err)
	}
}

// Singles are held against turns: an interval that does not meet that of the turns is said.
func TestSinglesThatDisagree(t *testing.T) {
	pairs := func(n int, factor float64) (blocks []judge.Block) {
		for i := range n {
			blocks = append(blocks,
				blocksOf(measure.OperationTime, []float64{100}, []float64{100 * factor * (1 + 0.001*float64(i%5))})...)
		}
		return blocks
	}
	v, err := judge.Decide(measure.OperationTime, pairs(20, 1), judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := share.Contest{Verdict: v, Known: true}
	for _, one := range []struct {
		how    benchmarks.Sampling
		n      int
		factor float64
		want   bool
	}{{benchmarks.ByTurns, singlePairs, 1.2, true}, {benchmarks.ByTurns, singlePairs, 1.001, false}, {benchmarks.ByTurns,
		3, 1.2, false}, {benchmarks.ByProcesses, singlePairs, 1.2, false}} {
		b := &bench{sampling: sampling{how: one.how}, singles: pairs(one.n, one.factor)}
		if d, err := b.differenceFromTurns(c); (d != nil) != one.want || err != nil {
			t.Errorf("%+v: %+v, %v", one, d, err)
		}
	}
}

func blocksOf(m judge.Measure, a, b []float64) []judge.Block {
	var blocks []judge.Block
	for i := range a {
		blocks = append(blocks, judge.Block{Pairs: []judge.Pair{{A: judge.Sample{m.Key: a[i]},
			B: judge.Sample{m.Key: b[i]}}}})
	}
	return blocks
}

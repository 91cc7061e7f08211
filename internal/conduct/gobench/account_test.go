package gobench

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Where the time that B saves went to, by accounts of eight blocks: 400 ms of A's time in each. Cheats have a caveat,
// honest changes none.
func TestAccountsShowWorkElsewhere(t *testing.T) {
	const ms = time.Millisecond
	of := func(timed, beside, whole time.Duration) account {
		return account{timed: timed, beside: beside, whole: whole}
	}
	a := of(400*ms, 15*ms, 420*ms)
	slow := account{timed: 20 * ms, beside: 12 * ms, whole: 30 * ms} // a process for each sample
	for _, c := range []struct {
		name string
		how  benchmarks.Sampling
		a, b account
		want string // the kind of the caveat; "" if there is none
		open bool
	}{
		{"children do it: they are in the account of their parent", benchmarks.ByTurns, a, of(44*ms, 700*ms, 800*ms),
			benchmarks.CaveatCPU, true},
		{"goroutines after the loop, the same work", benchmarks.ByTurns, a, of(4*ms, 400*ms, 410*ms), benchmarks.CaveatMoved,
			true},
		{"half of the work before the timer", benchmarks.ByTurns, a, of(200*ms, 215*ms, 420*ms), benchmarks.CaveatMoved,
			true},
		{"all answers in init, in an eighth of the time", benchmarks.ByTurns, a, of(4*ms, 65*ms, 70*ms),
			benchmarks.CaveatMoved, false},
		{"TestMain does it, a process for each sample", benchmarks.ByProcesses, slow, of(2*ms, 30*ms, 30*ms),
			benchmarks.CaveatMoved, true},
		{"less work", benchmarks.ByTurns, a, of(40*ms, 16*ms, 60*ms), "", false},
		{"the same work on two CPUs", benchmarks.ByTurns, a, of(205*ms, 16*ms, 422*ms), "", false},
		{"less waiting", benchmarks.ByTurns, of(400*ms, 15*ms, 30*ms), of(100*ms, 15*ms, 30*ms), "", false},
		{"a little less work, and a start that takes 4 ms longer", benchmarks.ByTurns, a, of(392*ms, 19*ms, 416*ms), "",
			false},
		{"less work in processes, whose start takes 2 ms longer", benchmarks.ByProcesses, slow, of(10*ms, 14*ms, 22*ms), "",
			false},
	} {
		var blocks [][2]account
		for i := range 8 {
			scatter := time.Duration(i-4) * ms / 2
			x, y := c.a, c.b
			x.beside, x.whole = x.beside+scatter, x.whole+scatter
			blocks = append(blocks, [2]account{x, y})
		}
		v := judge.Verdict{Ratio: float64(c.b.timed) / float64(c.a.timed), Delta: 0.01}
		got := accountCaveats(c.how, v, blocks)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %+v, want no caveat", c.name, got)
		case c.want != "" && (len(got) != 1 || got[0].Name != c.want || got[0].Open != c.open):
			t.Errorf("%s: %+v, want %q, open %v", c.name, got, c.want, c.open)
		}
		if fewer := accountCaveats(c.how, v, blocks[:3]); len(fewer) > 0 {
			t.Errorf("%s: three blocks show %+v", c.name, fewer)
		}
		blocks[5][1].lost = true
		if lost := accountCaveats(c.how, v, blocks); len(lost) > 0 {
			t.Errorf("%s: where the CPU time of a turn is not known, %+v", c.name, lost)
		}
	}
}

// First operations and starts of both sides, in ms, where B is said to be ten times as fast as A's 2 ms.
func TestFirstOperations(t *testing.T) {
	of := func(a, b, startA, startB float64) (f firsts) {
		for i := range 10 {
			noise := 1 + 0.02*float64(i%5)
			for side, ms := range [2][2]float64{{a, startA}, {b, startB}} {
				f.times[side] = append(f.times[side], 1e6*ms[0]*noise)
				f.starts[side] = append(f.starts[side], 1e6*ms[1]*noise)
			}
		}
		return f
	}
	busy := func(micros ...float64) (values []float64) { // of a busy machine, once such a time of a good one
		for _, us := range micros {
			values = append(values, 1e3*us*60)
		}
		return values
	}
	plain := busy(47, 44, 58, 40, 59, 43, 45, 38)
	for _, c := range []struct {
		name string
		f    firsts
		want string // kinds of caveats
	}{
		{"an answer is kept", of(2.2, 2.3, 10, 10), benchmarks.CaveatFirst},
		{"a table in init", of(2.2, 0.3, 10, 60), benchmarks.CaveatStart},
		{"both", of(2.2, 2.2, 10, 60), benchmarks.CaveatFirst + benchmarks.CaveatStart},
		{"less work", of(2.2, 0.3, 10, 10), ""},
		{"less work behind a cold cache of both", of(2.6, 0.9, 10, 10), ""},
		{"an answer is kept, on a busy machine", firsts{times: [2][]float64{plain, busy(155, 25, 44, 55, 48, 47, 24, 50)}},
			benchmarks.CaveatFirst},
		{"less work, on a busy machine", firsts{times: [2][]float64{plain, busy(6, 5, 5, 26, 5, 5, 5, 6)}}, ""},
		{"half of it, on a busy machine", firsts{times: [2][]float64{plain, busy(22, 27, 18, 18, 19, 20, 19, 18)}}, ""},
		{"a first operation that costs more than there is to save", of(9, 9, 10, 10), ""},
		{"a start that takes a tenth longer", of(2.2, 0.3, 10, 11), ""},
	} {
		var kinds strings.Builder
		for _, d := range c.f.caveats(judge.Verdict{A: 2e6, Ratio: 0.1}) {
			if kinds.WriteString(d.Name); d.Open {
				t.Errorf("%s: it takes the verdict", c.name)
			}
		}
		if kinds.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, kinds.String(), c.want)
		}
	}
}

// A caveat that is open takes the word on time and what gates on times passed, and leaves figures and other gates.
func TestAnOpenCaveatTakesTheVerdict(t *testing.T) {
	passed := func(m judge.Measure) gate.Result {
		return gate.Result{Gate: gate.Gate{Measure: m}, Outcome: gate.Passed}
	}
	out := benchmarks.Benchmark{Verdicts: []judge.Verdict{{Measure: measure.OperationTime, Word: judge.Faster, Ratio: 0.1},
		{Measure: measure.OperationAllocs, Word: judge.Faster}},
		Gates: []gate.Result{passed(measure.OperationTime), passed(measure.OperationCPU), passed(measure.OperationAllocs)}}
	putCaveats(&out, &bench{caveats: []record.Caveat{{Name: benchmarks.CaveatStart, Text: "beside"}}})
	if out.Word() != judge.Faster || out.Gates[0].Outcome != gate.Passed || len(out.Caveats) != 1 {
		t.Errorf("beside the verdict: %+v", out)
	}
	putCaveats(&out, &bench{caveats: []record.Caveat{{Name: benchmarks.CaveatStart, Text: "beside"},
		{Name: benchmarks.CaveatMoved, Open: true, Text: "elsewhere"}}})
	if out.Word() != judge.Undecided || out.Verdicts[0].Reason != "elsewhere" || out.Verdicts[0].Ratio != 0.1 ||
		out.Verdicts[1].Word != judge.Faster {
		t.Errorf("verdicts %+v", out.Verdicts)
	}
	for i, want := range []gate.Outcome{gate.Open, gate.Open, gate.Passed} {
		if got := out.Gates[i].Outcome; got != want {
			t.Errorf("the gate on %s: %s, want %s", out.Gates[i].Gate.Measure.Key, got, want)
		}
	}
}

// Recorded turns become an account. Two things do not count as work elsewhere: the operation before the timed ones, and
// the CPU time of a turn, also where it is more than its wall time. The rest of the life of the process does.
func TestTheAccountOfRecordedTurns(t *testing.T) {
	const ms = time.Millisecond
	result := benchtext.Read("BenchmarkX 10 1000000 ns/op\n")[0] // 10 ms timed, 11 ms with the first operation
	for _, c := range []struct {
		name   string
		Added  []turns.Turn
		whole  time.Duration
		beside time.Duration
	}{
		{"work in the loop", []turns.Turn{{Wall: 11 * ms, CPU: 11 * ms}, {Wall: 11 * ms, CPU: 11 * ms}}, 22 * ms, 0},
		{"on two CPUs", []turns.Turn{{Wall: 11 * ms, CPU: 22 * ms}, {Wall: 11 * ms, CPU: 22 * ms}}, 44 * ms, 0},
		{"a start of 8 ms", []turns.Turn{{Wall: 11 * ms, CPU: 11 * ms}, {Wall: 11 * ms, CPU: 11 * ms}}, 30 * ms, 8 * ms},
		{"5 ms in front of each timer", []turns.Turn{{Wall: 16 * ms, CPU: 16 * ms}, {Wall: 16 * ms, CPU: 16 * ms}}, 32 * ms,
			10 * ms},
		{"the loop waits", []turns.Turn{{Wall: 11 * ms}, {Wall: 11 * ms}}, 0, 0},
	} {
		var a account
		for _, one := range c.Added {
			one.Result, one.HasCPU = result, true
			a.addTurn(one)
		}
		a.end(c.whole)
		if a.timed != 20*ms || a.whole != c.whole || a.beside != c.beside || a.lost {
			t.Errorf("%s: %+v, want 20 ms timed and %v beside", c.name, a, c.beside)
		}
	}
	if a := accountOf(result, process.Ending{Wall: 20 * ms, CPU: 15 * ms, Left: 4 * ms}); a.timed != 10*ms ||
		a.beside != 9*ms || a.whole != 19*ms {
		t.Errorf("a process: %+v", a)
	}
}

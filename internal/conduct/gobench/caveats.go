package gobench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// Caveat is a reason not to take a faster B by its time alone.
type Caveat struct {
	Kind string `json:"kind"`
	// Open says that it takes the verdict: it is undecided.
	Open bool   `json:"open,omitempty"`
	Text string `json:"text"`
}

// The kinds of caveats.
const (
	// CaveatCPU: B uses more CPU time from exec to exit.
	CaveatCPU = "cpu"
	// CaveatMoved: B does outside of the timed part what A does in it.
	CaveatMoved = "moved"
	// CaveatFirst: the gain is not in the first operation of a process.
	CaveatFirst = "first operation"
	// CaveatStart: a start of B takes more CPU time.
	CaveatStart = "start"
	// CaveatTests: tests of the package fail where a benchmark is chosen, on B only.
	CaveatTests = "tests"
)

// checkFaster checks the verdicts of the benchmarks that are faster on B. It runs after the rounds.
func (m *measurement) checkFaster(ctx context.Context) error {
	if err := m.decideAll(); err != nil { // rounds since the last look count too
		return err
	}
	tested := map[*pkg][]string{}
	for _, b := range m.benches {
		v, faster := m.fasterBy(b)
		if !faster {
			continue
		}
		b.caveats = accountCaveats(b.how, v, b.accounts)
		if _, done := tested[b.pkg]; !done {
			m.request.Progress.Phase("tests of "+b.pkg.path, 0)
			var err error
			if tested[b.pkg], err = m.noticed(ctx, b.pkg, Exactly(plainName(b.name, b.procs)), b.procs); err != nil {
				return err
			}
		}
		if failed := tested[b.pkg]; len(failed) > 0 {
			b.caveats = append(b.caveats, testsCaveat(failed))
		}
		if v.High >= compare.LargeGain || m.request.Iterations == 1 { // one operation is what it compared
			continue
		}
		m.request.Progress.Phase("first operations of "+b.name, 0)
		f, err := m.firstOf(ctx, b)
		switch {
		case err == nil:
			b.caveats = append(b.caveats, f.caveats(v)...)
		case !m.loseBench(b, err):
			return err
		}
	}
	return ctx.Err()
}

func testsCaveat(failed []string) Caveat {
	fails := "fail"
	if len(failed) == 1 {
		fails = "fails"
	}
	const most = 3 // in a sentence
	return Caveat{Kind: CaveatTests, Open: true, Text: fmt.Sprintf("%s %s on B where a benchmark is chosen (-test.bench), and not without: B sees that it is measured",
		strings.Join(failed[:min(most, len(failed))], ", "), fails)}
}

// fasterBy is the verdict on time of a benchmark, and whether it says that B is faster.
func (m *measurement) fasterBy(b *bench) (v judge.Verdict, faster bool) {
	c := m.families.of(Time).contests[b]
	if b.failed || c == nil || !c.Known || b.deciding().Key != Time.Key {
		return v, false
	}
	return c.Verdict, c.Verdict.Word == judge.Faster
}

// OpenCaveat is the first caveat that takes the verdict; nil if there is none.
func (b Benchmark) OpenCaveat() *Caveat { return openOf(b.Caveats) }

// open is OpenCaveat before there is a result.
func (b *bench) open() *Caveat { return openOf(b.caveats) }

func openOf(caveats []Caveat) *Caveat {
	for i := range caveats {
		if caveats[i].Open {
			return &caveats[i]
		}
	}
	return nil
}

// doubted are the measures whose gates a caveat that is open takes.
var doubted = []string{Time.Key, CPU.Key, Instructions.Key, functionInstructions.Key}

// caveat writes the caveats of a benchmark into its result. One that is open takes the verdict on time or instructions, and
// what gates on them passed.
func (out *Benchmark) caveat(b *bench) {
	out.Caveats = b.caveats
	open := b.open()
	if open == nil {
		return
	}
	for i := range out.Verdicts {
		if v := &out.Verdicts[i]; v.Measure.Key == Time.Key || v.Measure.Key == Instructions.Key {
			v.Word, v.Reason, v.Need = judge.Undecided, open.Text, nil
		}
	}
	for i := range out.Gates {
		if g := &out.Gates[i]; g.Outcome == gate.Passed && slices.Contains(doubted, g.Gate.Measure.Key) {
			g.Outcome, g.Reason = gate.Open, open.Text
		}
	}
}

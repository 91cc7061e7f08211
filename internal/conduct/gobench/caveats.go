package gobench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// checkFaster checks the verdicts of the benchmarks that are faster on B. It runs after the rounds.
func (m *measurement) checkFaster(ctx context.Context) error {
	if err := m.referee.End(); err != nil { // rounds since the last look count too
		return err
	}
	for _, b := range m.benches {
		v, faster := m.fasterBy(b)
		if !faster {
			continue
		}
		b.caveats = append(accountCaveats(b.how, v, b.accounts), settingsCaveat(v, b.accounts)...)
		for _, check := range checksOfAGain {
			if err := check(m, ctx, b, v); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// checksOfAGain add caveats to a benchmark that is faster on B, in this order: the first one that is open is the
// reason. An error ends the measurement; a check that shows nothing notes why.
var checksOfAGain = []func(*measurement, context.Context, *bench, judge.Verdict) error{
	(*measurement).checkSyncs, (*measurement).checkWritten, (*measurement).checkGain, (*measurement).checkTests,
	(*measurement).checkWork, (*measurement).checkFirst,
}

// checkTests adds the caveat that tests of a benchmark's package see that they are measured. They run once for each
// package.
func (m *measurement) checkTests(ctx context.Context, b *bench, _ judge.Verdict) (err error) {
	if !b.pkg.tested {
		m.task.Progress.Phase("tests of "+b.pkg.path, 0)
		if b.pkg.notices, err = m.noticed(ctx, b.pkg, b.pattern(), b.procs); err != nil {
			return err
		}
		b.pkg.tested = true
	}
	failed := b.pkg.notices
	if len(failed) > 0 {
		b.caveats = append(b.caveats, testsCaveat(failed))
	}
	return nil
}

func testsCaveat(failed []string) record.Caveat {
	fails := "fail"
	if len(failed) == 1 {
		fails = "fails"
	}
	const most = 3 // in a sentence
	return record.Caveat{Name: benchmarks.CaveatTests, Open: true,
		Text: fmt.Sprintf("%s %s on B where a benchmark is chosen (-test.bench), and not without: B sees that it is measured",
			strings.Join(failed[:min(most, len(failed))], ", "), fails)}
}

// fasterBy is the verdict on time of a benchmark, and whether it says that B is faster.
func (m *measurement) fasterBy(b *bench) (v judge.Verdict, faster bool) {
	c := m.referee.ContestOf(&b.Contender)
	if b.Lost() || !c.Known || c.Verdict.Measure.Key != measure.OperationTime.Key {
		return v, false
	}
	return c.Verdict, c.Verdict.Word == judge.Faster
}

// open is OpenCaveat before there is a result.
func (b *bench) open() *record.Caveat { return record.OpenCaveat(b.caveats) }

// doubted are the measures whose gates a caveat that is open takes.
var doubted = []string{measure.OperationTime.Key, measure.OperationCPU.Key, measure.OperationInstructions.Key,
	measure.FunctionInstructions.Key}

// notInEach are caveats that leave the verdict, since honest changes have them, but not a gate that demands a gain:
// it is not in each operation, or costs something else.
var notInEach = []string{benchmarks.CaveatFirst, benchmarks.CaveatCache, benchmarks.CaveatUneven,
	benchmarks.CaveatDurable}

// doubtOf is the caveat that takes what a gate passed; nil if there is none.
func (b *bench) doubtOf(g gate.Gate) *record.Caveat {
	if !slices.Contains(doubted, g.Measure.Key) {
		return nil
	}
	if open := b.open(); open != nil || !g.WantsChange() {
		return open
	}
	for i := range b.caveats {
		if slices.Contains(notInEach, b.caveats[i].Name) {
			return &b.caveats[i]
		}
	}
	return nil
}

// putCaveats writes the caveats of a benchmark into its result. One that is open takes the verdict on time or
// instructions, and what gates on them passed.
func putCaveats(out *benchmarks.Benchmark, b *bench) {
	out.Caveats = b.caveats
	for i := range out.Gates {
		g := &out.Gates[i]
		if doubt := b.doubtOf(g.Gate); g.Outcome == gate.Passed && doubt != nil {
			g.Outcome, g.Reason = gate.Open, doubt.Text
		}
	}
	open := b.open()
	if open == nil {
		return
	}
	for i := range out.Verdicts {
		if v := &out.Verdicts[i]; v.Measure.Key == measure.OperationTime.Key ||
			v.Measure.Key == measure.OperationInstructions.Key {
			v.Word, v.Reason, v.Need = judge.Undecided, open.Text, nil
		}
	}
}

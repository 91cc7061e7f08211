package gobench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// A benchmark can see hone: by variables, by the directory of its executable, by its parent, or by the turns. So a gain
// is looked at twice more: in the single processes between the turns, and in processes that are started as go test would
// start them from a shell.

const (
	// gainPairs is how many pairs of plain processes there are, gainShare the part of the budget that they may take, as
	// one part in so many, and gainTime without a budget.
	gainPairs, gainShare, gainTime = 12, 20, 2 * time.Second
	// openPairs is how many times as many pairs there may be, in as many times the time, where they leave it open whether
	// the gain is there: on a busy machine.
	openPairs = 4
	// clearGain is B's part of A's time from which on a few processes cannot show a gain.
	clearGain = 0.9
	// mostOver is how many times as long the fewest pairs with an interval may take.
	mostOver = 8
	// longPlain is how long the operations of a plain process may take.
	longPlain = 50 * time.Millisecond
	// gainConf is the confidence of what is left of a gain: six pairs have an interval.
	gainConf = 0.95
)

// checkGain adds the caveats that a gain is not there where B sees less of hone.
func (m *measurement) checkGain(ctx context.Context, b *bench, v judge.Verdict) error {
	singles := ratiosOf(b.singles)
	b.caveats = append(b.caveats, turnsCaveat(v, partOf(singles))...)
	m.task.Progress.Phase("confirm "+b.name+" without hone's variables and names", 0)
	gain := gainToFind(v, partOf(singles))
	plain, err := m.plainRatios(ctx, b, gain)
	switch {
	case err != nil:
	case len(plain) < conclusion.LeastGainRounds:
		err = errors.New("its processes take too long for the budget")
	case gainOpen(plain, gain):
		p := partOf(plain)
		err = fmt.Errorf("its processes take %s (%s) of the time there, on a busy machine", units.Percent(p.Ratio-1),
			units.Span(p.Low-1, p.High-1))
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: b.pkg.path,
			Text: fmt.Sprintf("the gain of %s was not confirmed without hone's variables and names: %v", b.name, err)})
		return nil
	}
	b.caveats = append(b.caveats, seenCaveat(v, partOf(singles), partOf(plain))...)
	return nil
}

// turnsCaveat: the gain is in turns only.
func turnsCaveat(v judge.Verdict, single *record.GainPart) []record.Caveat {
	if !conclusion.GainGone(single, v.Ratio) {
		return nil
	}
	return []record.Caveat{{Name: benchmarks.CaveatTurns, Open: true, Text: fmt.Sprintf("time per operation %s in turns, "+
		"but %s (%s) in single processes: B keeps something from one turn to the next, or sees the turns",
		units.Percent(v.Ratio-1), units.Percent(single.Ratio-1), units.Span(single.Low-1, single.High-1))}}
}

// gainToFind is B's part of A's time that plain processes are to show: what single processes lack anyway is not asked for.
func gainToFind(v judge.Verdict, single *record.GainPart) float64 {
	if single != nil {
		return max(v.Ratio, single.Ratio)
	}
	return v.Ratio
}

// gainOpen says that plain processes show neither that a gain is there nor that it is not. Of a small gain they never do.
func gainOpen(ratios []float64, gain float64) bool {
	p := partOf(ratios)
	return gain < clearGain && !conclusion.GainGone(p, gain) && !conclusion.GainThere(p, gain)
}

// seenCaveat: the gain is there only where B can see hone. What single processes lack anyway is no reason.
func seenCaveat(v judge.Verdict, single, plain *record.GainPart) []record.Caveat {
	gain := gainToFind(v, single)
	if gain >= 1 || !conclusion.GainGone(plain, gain) {
		return nil
	}
	return []record.Caveat{{Name: benchmarks.CaveatSeen, Open: true, Text: fmt.Sprintf("time per operation %s, but %s (%s) "+
		"in processes without hone's variables and names: B sees that it is measured",
		units.Percent(v.Ratio-1), units.Percent(plain.Ratio-1), units.Span(plain.Low-1, plain.High-1))}}
}

// plainRatios are the logarithms of B's time per operation over A's, of processes that do not show hone: more of them
// while they leave a gain open. They are too few where a process takes too long.
func (m *measurement) plainRatios(ctx context.Context, b *bench, gain float64) (ratios []float64, err error) {
	dir, err := tempdir.MakePlain()
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	limit, n := gainTime, b.plainOperations()
	if m.result.Budget > 0 {
		limit = m.result.Budget / time.Duration(gainShare*max(1, len(m.benches)))
	}
	began := time.Now()
	open := func() bool { return gainOpen(ratios, gain) }
	for i := 0; anotherPair(i, time.Since(began), limit, open); i++ {
		var nanos [2]float64
		for _, side := range m.rng.Perm(2) {
			if nanos[side], err = m.plainTime(ctx, b, side, n, dir.Path); err != nil {
				return nil, err
			}
		}
		if nanos[0] > 0 && nanos[1] > 0 {
			ratios = append(ratios, math.Log(nanos[1]/nanos[0]))
		}
	}
	return ratios, nil
}

// anotherPair says whether n pairs, which took so long, are followed by one more.
func anotherPair(n int, took, limit time.Duration, open func() bool) bool {
	switch {
	case n == 1:
		return took*conclusion.LeastGainRounds <= mostOver*limit
	case n < conclusion.LeastGainRounds, n < gainPairs && took <= limit:
		return true
	}
	return n < openPairs*gainPairs && took < openPairs*limit && open()
}

// plainOperations is how many operations a plain process does: as many as a single process beside the turns, and fewer
// where the machine became so busy since that they take far longer.
func (b *bench) plainOperations() int {
	n, slowest := cmp.Or(b.single, b.n), 0.0
	for _, block := range b.singles {
		for _, p := range block.Pairs {
			slowest = max(slowest, p.A[measure.OperationTime.Key], p.B[measure.OperationTime.Key])
		}
	}
	if slowest > 0 {
		n = min(n, max(1, int(float64(longPlain)/slowest)))
	}
	return n
}

// plainTime is the time per operation in a process that does not show hone, in ns.
func (m *measurement) plainTime(ctx context.Context, b *bench, side, n int, dir string) (float64, error) {
	program := b.pkg.binary(binaryOf{side: side})
	file := filepath.Join(dir, string(rune('a'+side)), filepath.Base(b.pkg.path)+".test")
	if _, err := os.Stat(file); err != nil {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return 0, err
		}
		if os.Link(program.Path, file) != nil {
			if err := build.CopyProgram(program.Path, file); err != nil {
				return 0, err
			}
		}
	}
	program.Path, program.Plain = file, true
	limited, cancel := context.WithTimeout(ctx, m.task.Timeout)
	defer cancel()
	flags := m.flags(execution{pattern: b.pattern(), procs: b.procs, length: strconv.Itoa(n) + "x",
		more: []string{"-test.run=^$"}})
	e, err := program.Run(limited, flags...)
	if err != nil {
		return 0, fmt.Errorf("%w %s", err, strings.TrimSpace(e.LastWords()))
	}
	r := benchtext.Named(benchtext.Scan(e.Stdout), b.name)
	if r == nil {
		return 0, errors.New("it printed no result")
	}
	return benchtext.Nanos(r), nil
}

// ratiosOf are the logarithms of B's time per operation over A's, of the pairs of blocks.
func ratiosOf(blocks []judge.Block) (ratios []float64) {
	for _, block := range blocks {
		for _, p := range block.Pairs {
			if x, y := p.A[measure.OperationTime.Key], p.B[measure.OperationTime.Key]; x > 0 && y > 0 {
				ratios = append(ratios, math.Log(y/x))
			}
		}
	}
	return ratios
}

// partOf is B's part of A's time; nil where the ratios are too few for an interval.
func partOf(ratios []float64) *record.GainPart {
	if len(ratios) < conclusion.LeastGainRounds {
		return nil
	}
	e, err := stats.HodgesLehmann(ratios, gainConf)
	if err != nil || !e.Bounded() {
		return nil
	}
	return &record.GainPart{Ratio: math.Exp(e.Value), Low: math.Exp(e.Low), High: math.Exp(e.High)}
}

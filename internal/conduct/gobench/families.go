package gobench

import (
	"errors"
	"math"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// family is one measure of all benchmarks that have it; the level is shared within it.
type family struct {
	measure  judge.Measure
	contests map[*bench]*judge.Contest
	order    []*bench
}

// families are by measure, in the order in which they were first seen.
type families []*family

func (f families) of(m judge.Measure) *family {
	for _, one := range f {
		if one.measure.Key == m.Key {
			return one
		}
	}
	return &family{measure: m}
}

// enroll makes sure that each measure a benchmark reported has its contest.
func (m *measurement) enroll() {
	for _, b := range m.benches {
		for _, unit := range b.units {
			measure := measureOf(unit)
			f := m.families.of(measure)
			if f.contests == nil {
				f.contests = map[*bench]*judge.Contest{}
				m.families = append(m.families, f)
			}
			if f.contests[b] == nil {
				f.contests[b], f.order = &judge.Contest{}, append(f.order, b)
			}
		}
	}
}

// decideAll decides, on all measures, what is not decided yet.
func (m *measurement) decideAll() error {
	m.enroll()
	for _, f := range m.families {
		contests := make([]*judge.Contest, len(f.order))
		for i, b := range f.order {
			contests[i] = f.contests[b]
		}
		err := judge.Holm(contests, m.task.options().Alpha, func(i int, alpha float64) (judge.Verdict, error) {
			return decide(f.measure, f.order[i].screened(), m.optionsFor(f.order[i], alpha))
		})
		if err != nil {
			return err
		}
		for _, b := range f.order {
			if err := m.refine(f, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// refine takes a decision anew from all blocks, at the level that it was made at. The word
// stands: all intervals of all looks hold at once, so that the latest, which is mostly the
// narrowest, holds beside it. An interval that would say another word is not taken.
func (m *measurement) refine(f *family, b *bench) error {
	c := f.contests[b]
	if !c.Decided || b.done || b.second != nil {
		return nil
	}
	v, err := decide(f.measure, b.blocks, m.optionsFor(b, c.Verdict.Alpha))
	if errors.Is(err, judge.ErrNotObserved) {
		return nil
	}
	if err == nil && v.Word == c.Verdict.Word {
		c.Verdict = v
	}
	return err
}

// Combined is the method of the geometric mean's verdict.
const Combined judge.Method = "combined from the benchmarks"

// geomean is the geometric mean over the benchmarks of a family: the mean of their log ratios, each of as much weight
// as any other. The benchmarks are measured one after the other in processes of their own, so their errors are
// independent, and half-widths at one level add up by their squares (JCGM 100:2008, 5.1.2). Benchmarks of one package
// ran the same layouts, whose costs they may share: their half-widths add up as they are. Those that failed, changed
// themselves or have an open caveat are left out. It has no second stage of its own, so that it is a difference at the
// level of both. ok is false for less than two benchmarks.
func (m *measurement) geomean(f *family) (v judge.Verdict, ok bool, err error) {
	var sum sumOf
	o := m.task.options() // a single question, so the whole level is its own
	for _, one := range f.order {
		if one.failed || len(one.changed()) > 0 || one.open() != nil {
			continue
		}
		options := m.optionsFor(one, o.Alpha)
		if one.second != nil {
			options.Looks = nil
		}
		v, err := decide(f.measure, one.latest(), options)
		if errors.Is(err, judge.ErrNotObserved) {
			continue
		}
		if err != nil {
			return v, false, err
		}
		sum.add(v, one.errorGroup())
	}
	if sum.n < 2 {
		return v, false, nil
	}
	level := o.Alpha
	if m.task.staged() {
		level = judge.BothStages(o.Alpha)
	}
	return sum.mean(f.measure, o, level), true, nil
}

// errorGroup is what a benchmark shares errors within: its package where that has layouts.
func (b *bench) errorGroup() any {
	if b.layoutsUsed() > 0 {
		return b.pkg
	}
	return b
}

// sumOf adds up the log ratios of verdicts, and the distances from them to the ends of their intervals.
type sumOf struct {
	n, pairs, starts int
	value, a, b      float64
	groups           map[any]*[4]float64 // distances to low and high, and the same of the intervals that say the same
}

func (s *sumOf) add(v judge.Verdict, group any) {
	x := math.Log(v.Ratio)
	s.value += x
	if s.groups == nil {
		s.groups = map[any]*[4]float64{}
	}
	if s.groups[group] == nil {
		s.groups[group] = &[4]float64{}
	}
	for i, end := range []float64{v.Low, v.High, v.EquivalenceLow, v.EquivalenceHigh} {
		s.groups[group][i] += math.Abs(math.Log(end) - x)
	}
	s.a, s.b = s.a+math.Log(max(v.A, v.Measure.Floor)), s.b+math.Log(max(v.B, v.Measure.Floor))
	if s.n == 0 || v.Starts < s.starts {
		s.starts = v.Starts
	}
	s.n, s.pairs = s.n+1, s.pairs+v.Pairs
}

// mean is the verdict on the mean of the log ratios, which has to be significant at a level to be a difference.
func (s *sumOf) mean(m judge.Measure, o judge.Options, level float64) judge.Verdict {
	n := float64(s.n)
	x := s.value / n
	var far [4]float64
	for _, g := range s.groups {
		for i, distance := range g {
			far[i] += square(distance)
		}
	}
	for i := range far {
		far[i] = math.Sqrt(far[i]) / n
	}
	e := judge.Evidence{Value: x, Low: x - far[0], High: x + far[1], Level: level, Starts: s.starts,
		EquivalenceLow: x - far[2], EquivalenceHigh: x + far[3]}
	e.P = pOf(e, o.Alpha)
	e.Shown = e.P <= e.Level && (e.Low > 0 || e.High < 0)
	v := e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Method = math.Exp(s.a/n), math.Exp(s.b/n), s.pairs, Combined
	return v
}

// pOf is the p-value of no change that belongs to an interval, as of a normal distribution.
func pOf(e judge.Evidence, alpha float64) float64 {
	half := (e.High - e.Low) / 2
	switch {
	case e.Value == 0 || math.IsInf(half, 1):
		return 1
	case half == 0:
		return 0
	}
	return math.Erfc(math.Abs(e.Value) / half * math.Erfinv(1-alpha))
}

func square(x float64) float64 { return x * x }

// fewestExact is how many pairs have to agree until a number counts as exact.
const fewestExact = 5

// decide is judge.Decide, but for allocations that are the same in all samples of a
// side: those are not samples of anything that scatters, and need no test.
func decide(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, error) {
	if m.Key == measure.OperationAllocs.Key || m.Key == measure.OperationBytes.Key {
		if v, exact := decideExact(m, blocks, o); exact {
			return v, nil
		}
	}
	v, err := judge.Decide(m, blocks, o)
	if err == nil || errors.Is(err, judge.ErrNotObserved) || o.Validate() != nil {
		return v, err
	}
	return v, judge.ErrNotObserved // a value that has no ratio, such as a time of 0
}

func decideExact(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, bool) {
	a, b, pairs, agree := agreed(m.Key, blocks)
	if !agree || pairs < fewestExact {
		return judge.Verdict{}, false
	}
	d, err := stats.LogRatios([]float64{max(a, m.Floor)}, []float64{max(b, m.Floor)})
	if err != nil {
		return judge.Verdict{}, false
	}
	e := judge.Evidence{Value: d[0], Low: d[0], High: d[0], EquivalenceLow: d[0], EquivalenceHigh: d[0], P: 1,
		Level: o.Alpha, Starts: len(blocks)}
	if d[0] != 0 {
		e.P, e.Shown = 0, true
	}
	v := e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Looks = a, b, pairs, max(1, len(o.Looks))
	v.Reason, v.Method = "all samples of a side agree", benchmarks.Exact
	return v, true
}

// agreed are the values of A and B if all pairs have the same.
func agreed(key string, blocks []judge.Block) (a, b float64, pairs int, agree bool) {
	for _, block := range blocks {
		for _, p := range block.Pairs {
			x, okX := p.A[key]
			y, okY := p.B[key]
			if pairs == 0 {
				a, b = x, y
			}
			if !okX || !okY || x != a || y != b { // NaN is like nothing
				return 0, 0, 0, false
			}
			pairs++
		}
	}
	return a, b, pairs, pairs > 0
}

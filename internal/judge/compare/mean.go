package compare

import (
	"errors"
	"math"
	"slices"

	"github.com/gohone/hone/judge"
)

// Combined is the method of the geometric mean's verdict.
const Combined judge.Method = "combined from the benchmarks"

// Mean is the verdict on the geometric mean of a measure over benchmarks: the mean of their log ratios, each of as much
// weight as any other. The benchmarks are measured one after the other in processes of their own, so their errors are
// independent, and half-widths at one level add up by their squares (JCGM 100:2008, 5.1.2). Those that share errors add
// up as they are: benchmarks of one package ran the same layouts. sharing says what a benchmark shares its errors with,
// and whether it counts. The mean has no second stage of its own, so that it is a difference at the level of both. ok
// is false for less than two benchmarks.
func (r *Referee) Mean(m judge.Measure, sharing func(*Contender) (group any, counts bool)) (v judge.Verdict, ok bool,
	err error) {
	var sum sumOf
	o := r.question.Options // a single question, so the whole level is its own
	f := r.family(m)
	for _, one := range f.contenders {
		group, counts := sharing(one)
		if !counts {
			continue
		}
		options := r.options(one, o.Alpha)
		if !one.late { // it ended by the looks for alarms, or before
			options = options.Alarming()
		}
		if one.Confirming() {
			options.Looks = nil
		}
		blocks := one.latest()
		if len(blocks) < judge.FewestBlocks(o.Alpha) { // a second stage of few, where the scatter was known
			blocks = one.Blocks
		}
		v, err := r.decide(one, f.measure, blocks, options)
		if errors.Is(err, judge.ErrNotObserved) {
			continue
		}
		if err != nil {
			return v, false, err
		}
		sum.add(v, group)
	}
	if sum.n < 2 {
		return v, false, nil
	}
	level := o.Alpha
	if r.question.Staged() {
		level = judge.BothStages(o.Alpha)
	}
	return sum.mean(f.measure, o, level), true, nil
}

// sumOf adds up the log ratios of verdicts, and the distances from them to the ends of their intervals.
type sumOf struct {
	n, pairs, starts int
	value, a, b      float64
	groups           []sharedErrors
}

// sharedErrors are the distances from the ratios of a group to the lows and highs of their intervals, and the same of
// the intervals that say the same.
type sharedErrors struct {
	group any
	far   [4]float64
}

func (s *sumOf) add(v judge.Verdict, group any) {
	x := math.Log(v.Ratio)
	s.value += x
	at := slices.IndexFunc(s.groups, func(g sharedErrors) bool { return g.group == group })
	if at < 0 {
		at, s.groups = len(s.groups), append(s.groups, sharedErrors{group: group})
	}
	for i, end := range []float64{v.Low, v.High, v.EquivalenceLow, v.EquivalenceHigh} {
		s.groups[at].far[i] += math.Abs(math.Log(end) - x)
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
		for i, distance := range g.far {
			far[i] += distance * distance
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

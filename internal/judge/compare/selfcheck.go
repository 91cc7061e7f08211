package compare

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// selfCheckConf is the confidence of the A/A interval: a clean measurement is called
// unclean once in a hundred checks.
const selfCheckConf = 0.99

// SelfCheckResult is the outcome of an A/A check: one variant against itself.
type SelfCheckResult struct {
	// Ratio is the Hodges-Lehmann estimate, Low ... High its interval at Conf; 1 is
	// no difference.
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Conf  float64 `json:"conf"`
	// Couples is the number of neighbouring slices compared.
	Couples int `json:"couples"`
	// Clean says that the interval contains no difference.
	Clean bool `json:"clean"`
}

// Resolution is half the width of the interval, as a fraction.
func (r SelfCheckResult) Resolution() float64 {
	return math.Expm1((math.Log(r.High) - math.Log(r.Low)) / 2)
}

// String is the check in a few words: A/A clean (+-0.8 %).
func (r SelfCheckResult) String() string {
	if r.Clean {
		return fmt.Sprintf("A/A clean (+-%.2g %%)", 100*r.Resolution())
	}
	return fmt.Sprintf("A/A not clean (%s)", units.Span(r.Low-1, r.High-1))
}

// SelfCheck compares a variant with itself: side is 0 for A, 1 for B. Its slices are taken two by two, in the order of
// time and within a start. The ratio is that of the second to the first, then of the first to the second, and so on in
// turn, so that a steady drift cancels. What is left is what the method sees where there is no difference.
//
// It is an error if the slices are too few for an interval at 99 % (16 in one start).
func SelfCheck(m judge.Measure, blocks []judge.Block, side int) (SelfCheckResult, error) {
	if side != 0 && side != 1 {
		return SelfCheckResult{}, fmt.Errorf("check %s against itself: side is %d, want 0 or 1", m.Name, side)
	}
	r, err := selfCheck(m, blocks, side)
	if err != nil {
		return SelfCheckResult{}, fmt.Errorf("check %s against itself: %w", m.Name, err)
	}
	return r, nil
}

func selfCheck(m judge.Measure, blocks []judge.Block, side int) (SelfCheckResult, error) {
	first, second, err := couples(m, blocks, side)
	if err != nil {
		return SelfCheckResult{}, err
	}
	if fewest := judge.FewestBlocks(1 - selfCheckConf); len(first) < fewest {
		return SelfCheckResult{}, fmt.Errorf("%d couples of slices give no %g %% interval, want %d",
			len(first), 100*selfCheckConf, fewest)
	}
	d, err := stats.LogRatios(first, second)
	if err != nil {
		return SelfCheckResult{}, err
	}
	e, err := stats.HodgesLehmann(d, selfCheckConf)
	if err != nil {
		return SelfCheckResult{}, err
	}
	return SelfCheckResult{
		Ratio: math.Exp(e.Value), Low: math.Exp(e.Low), High: math.Exp(e.High), Conf: e.Conf,
		Couples: len(d), Clean: e.Low <= 0 && e.High >= 0,
	}, nil
}

// couples returns neighbouring slices of one side, in alternating order. The last of
// an odd number in a start is left over: the next one belongs to another process,
// whose luck is not a fault of the method.
func couples(m judge.Measure, blocks []judge.Block, side int) (first, second []float64, err error) {
	for i, block := range blocks {
		waiting, open := 0.0, false
		for j, p := range block.Pairs {
			s := p.A
			if side == 1 {
				s = p.B
			}
			v, ok, err := m.In(s)
			if err != nil {
				return nil, nil, fmt.Errorf("pair %d of start %d: %w", j, i, err)
			}
			v = max(v, m.Floor)
			switch {
			case !ok:
			case !open:
				waiting, open = v, true
			case len(first)%2 == 0:
				first, second, open = append(first, waiting), append(second, v), false
			default:
				first, second, open = append(first, v), append(second, waiting), false
			}
		}
	}
	return first, second, nil
}

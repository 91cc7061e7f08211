package power

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Power is what comparisons of one measure show within a budget, on the machine and under the
// load of a comparison of two equal variants.
type Power struct {
	Measure judge.Measure `json:"measure"`
	Budget  time.Duration `json:"budget_ns"`
	// Blocks is how many blocks a comparison of this budget has.
	Blocks int `json:"blocks"`
	// Smallest is the smallest change, as a fraction, that is shown in four of five comparisons;
	// +Inf (null in JSON) if the budget has too few blocks to show any.
	Smallest judge.Bound `json:"smallest"`
	// Drawn counts the comparisons of equal variants that were drawn from the measured blocks,
	// Alarms those of them that were called different, Same those called the same. All are 0
	// where Smallest is scaled: that of a percentile, and that of very many blocks.
	Drawn  int `json:"drawn,omitempty"`
	Alarms int `json:"alarms,omitempty"`
	Same   int `json:"same,omitempty"`
}

const (
	// drawnComparisons are drawn for the rates, powerDraws for each change that is tried.
	drawnComparisons = 200
	powerDraws       = 60
	// power is the share of comparisons in which the smallest change is to be shown.
	power = 0.8
	// mostDrawn is the most blocks that a comparison is drawn of: time grows by their square.
	mostDrawn = 40
	// bisected is how often the range of the smallest change is halved: to a 30th of it.
	bisected = 7
)

// Of says what comparisons of the given budgets show of a measure, given the blocks of a
// comparison of two equal variants, of which each took perBlock. Comparisons are drawn from the
// blocks with replacement, each turned round at random, since A and B are the same; each has both
// stages, and the looks that it would have had. A change is planted by adding it to all blocks.
//
// The smallest change of a percentile is that of all blocks, scaled by the square root of their
// number, and that of more than 40 blocks is that of 40, scaled. A measure that no block shows is judge.ErrNotObserved.
func Of(m judge.Measure, blocks []judge.Block, perBlock time.Duration, budgets []time.Duration, o judge.Options,
	rng *rand.Rand) (all []Power, err error) {
	o = o.WithDefaults()
	shows := showsByDraws
	if m.Level == judge.Pooled {
		shows = showsScaled
	}
	fill, err := shows(m, blocks, o, rng)
	if err != nil {
		return nil, err
	}
	for _, budget := range budgets {
		p := Power{Measure: m, Budget: budget, Blocks: int(budget / perBlock), Smallest: judge.Bound(math.Inf(1))}
		if p.Blocks >= judge.FewestInStages(o.Alpha) {
			fill(&p)
		}
		all = append(all, p)
	}
	return all, nil
}

func showsByDraws(m judge.Measure, blocks []judge.Block, o judge.Options, rng *rand.Rand) (func(*Power), error) {
	c, err := judge.ChangesOf(m, blocks)
	u := urn{values: c.Values, noise: c.Noise, rng: rng, alpha: o.Alpha, tolerance: math.Log1p(o.Delta)}
	return func(p *Power) {
		drawn := min(p.Blocks, mostDrawn)
		if p.Smallest = scaled(u.smallest(drawn), drawn, p.Blocks); p.Blocks == drawn {
			p.Drawn = drawnComparisons
			p.Alarms, p.Same = u.rates(drawn)
		}
	}, err
}

func showsScaled(m judge.Measure, blocks []judge.Block, o judge.Options, _ *rand.Rand) (func(*Power), error) {
	v, err := judge.Decide(m, blocks, o)
	return func(p *Power) { p.Smallest = scaled(math.Log1p(v.Detectable), len(blocks), p.Blocks) }, err
}

// scaled is the smallest change with so many blocks, given its logarithm with others.
func scaled(log float64, of, to int) judge.Bound {
	return judge.Bound(math.Expm1(log * math.Sqrt(float64(of)/float64(to))))
}

// urn holds blocks that comparisons are drawn from.
type urn struct {
	values, noise    []float64 // log ratios and their variances
	rng              *rand.Rand
	alpha, tolerance float64
}

// draw is a comparison of n blocks, with a change added.
func (u urn) draw(n int, change float64) (values, noise []float64) {
	for range n {
		i := u.rng.IntN(len(u.values))
		v := u.values[i]
		if u.rng.IntN(2) == 0 {
			v = -v
		}
		values, noise = append(values, v+change), append(noise, u.noise[i])
	}
	return values, noise
}

// looks are those of a comparison that uses its budget up with n blocks. The level is spent in a share of it.
func (u urn) looks(n int, share float64) []stats.Look {
	var all []stats.Look
	for at := judge.FewestBlocks(u.alpha); at < n; at = judge.NextLook(at) {
		all = append(all, stats.Look{N: at, Spent: stats.PowerSpending(u.alpha, float64(at)/float64(n)/share)})
	}
	return append(all, stats.Look{N: n, Spent: u.alpha})
}

// differs says whether a comparison shows a difference at any of the looks of its first stage, and shows it again, in the same
// direction, with the blocks that the budget has left, or the fewest that can.
func (u urn) differs(values, noise []float64, change float64) (bool, error) {
	looks := u.looks(len(values), judge.ScreenShare)
	if differs, err := stats.SequentialDiffers(values, noise, looks); err != nil || !differs {
		return false, err // once shown it stays so
	}
	at := sort.Search(len(looks)-1, func(i int) bool {
		differs, err := stats.SequentialDiffers(values[:looks[i].N], noise[:looks[i].N], looks[:i+1])
		return err == nil && differs
	})
	first, alpha := looks[at].N, judge.Options{}.Confirming(u.alpha).Alpha
	again, noise := u.draw(max(judge.FewestToConfirm(u.alpha), len(values)-first), change)
	differs, err := stats.SequentialDiffers(again, noise, []stats.Look{{N: len(again), Spent: alpha}})
	return differs && (sum(again) > 0) == (sum(values[:first]) > 0), err
}

func sum(values []float64) (all float64) {
	for _, v := range values {
		all += v
	}
	return all
}

// rates counts how many of the comparisons of equal variants are called different, and how many the same.
func (u urn) rates(n int) (alarms, same int) {
	looks := u.looks(n, 1)
	for range drawnComparisons {
		values, noise := u.draw(n, 0)
		within, err := stats.SequentialWithin(values, noise, looks, u.tolerance)
		if err == nil && within {
			same++
			continue
		}
		if differs, err := u.differs(values, noise, 0); err == nil && differs {
			alarms++
		}
	}
	return alarms, same
}

// smallest is the smallest change, as a logarithm, that is shown in four of five comparisons.
func (u urn) smallest(n int) float64 {
	widest := 0.0
	for _, v := range u.values {
		widest = max(widest, math.Abs(v))
	}
	low, high := 0.0, 2*widest
	for range bisected {
		middle := (low + high) / 2
		count := 0
		for range powerDraws {
			values, noise := u.draw(n, middle)
			if differs, err := u.differs(values, noise, middle); err == nil && differs {
				count++
			}
		}
		if float64(count) >= power*powerDraws {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

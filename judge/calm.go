package judge

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/gohone/hone/stats"
)

// A difference has to be there in calm pairs, too. Disturbances hit both variants alike as long as they do not depend
// on whose turn it is, and cost both the same. Where they do not, more pairs only make the error look certain: of two
// builds whose path differs by six instructions, B took 7.9 % more time while the other thread of the core was busy, and
// 0.7 % less while it was free.
const (
	// calmPart is the part of a difference that calm pairs show at least, a standard error aside.
	calmPart = 0.5
	// calmLevel is that of the test by which calm pairs show the difference by themselves. Each stage asks, so that both
	// are wrong once in 1,600 times.
	calmLevel = 0.025
	// calmBlocks is how many calm blocks tell their scatter; fewer have that of all blocks.
	calmBlocks = 4
	// neighbourCost is how much more a neighbour may cost one of two builds than the other, as a log ratio.
	neighbourCost = 0.1
	// blocksWithoutCalm is how many blocks it takes to believe that a neighbour never rests: one that rests for half of
	// the time, and stays for eight blocks on average, leaves none of 45 in peace once in 700 times. Where earlier
	// comparisons found no calm moment, either, that is believed.
	blocksWithoutCalm = 45
)

const hardlyCalm = "hardly anything of it was calm, and a busy neighbour may cost one side more than the other: a " +
	"difference of less than 10 %% takes %d starts then, or a quieter machine"

// againstCalmPairs fills in the share of pairs that were disturbed, and why the calm ones do not bear out a difference
// that all of them show, given its evidence.
func (v Verdict) againstCalmPairs(blocks []Block, e Evidence) (Verdict, error) {
	calm, busy, share := divide(blocks)
	v.Disturbed = share
	if v.Measure.Level == PerStart || !e.Shown || share == 0 || share == 1 {
		return v, nil
	}
	c, err := calmChange(v.Measure, calm, busy)
	if errors.Is(err, ErrNotObserved) {
		v.Disturbed = 1
		return v, nil
	}
	if err != nil {
		return v, err
	}
	sign := math.Copysign(1, e.Value)
	v.calmP = c.p(sign)
	said := fmt.Sprintf("it is there while the machine was disturbed: %+.1f %%, and %+.1f %% in the %.0f %% of the pairs "+
		"that nothing disturbed", 100*math.Expm1(e.Value), 100*math.Expm1(c.value), 100*(1-share))
	switch {
	case sign*c.value+c.stdErr < calmPart*sign*e.Value:
		v.OnlyDisturbed = said
	case v.calmP > calmLevel && !v.beyondNeighbours():
		v.OnlyDisturbed = said + ", which are too few"
	}
	return v, nil
}

// beyondNeighbours says that a difference is larger than what a neighbour may cost one side alone.
func (v Verdict) beyondNeighbours() bool {
	return v.Low > 0 && max(math.Log(v.Low), -math.Log(v.High)) > neighbourCost
}

// hardlyCalm says why a difference is none after both stages, neither of which had too few calm pairs to say so by
// itself: one of them had none, so that the other has to show it at the level of both; or nothing was ever calm.
func (v Verdict) hardlyCalm(first Verdict) string {
	never := v.Disturbed == 1 && first.Disturbed == 1 && v.Starts+first.Starts < v.withoutCalm
	once := v.Disturbed != first.Disturbed && max(v.Disturbed, first.Disturbed) == 1 &&
		v.calmP+first.calmP > calmLevel*calmLevel
	if !v.Word.Different() || v.beyondNeighbours() || !never && !once {
		return ""
	}
	return fmt.Sprintf(hardlyCalm, v.withoutCalm)
}

// withoutDifference is the verdict without a difference that calm pairs do not bear out, and why; "" leaves it as it is.
func (v Verdict) withoutDifference(why string) Verdict {
	if v.OnlyDisturbed = cmp.Or(v.OnlyDisturbed, why); v.OnlyDisturbed != "" && v.Word.Different() {
		v.Word, v.Reason = Undecided, v.OnlyDisturbed
	}
	return v
}

// calmed is what calm pairs show.
type calmed struct {
	value, stdErr float64
	df            int
}

// p is how often chance shows as much in the direction of sign.
func (c calmed) p(sign float64) float64 {
	if sign*c.value <= 0 {
		return 1
	}
	if c.stdErr == 0 {
		return 0
	}
	return stats.StudentP(c.value/c.stdErr, c.df) / 2
}

// calmChange is the change that the calm pairs of blocks show. The scatter of few is that of both parts.
func calmChange(m Measure, calm, busy []Block) (c calmed, err error) {
	changes, err := ChangesOf(m, calm)
	if err != nil {
		return c, err
	}
	n := len(changes.Values)
	found, err := stats.HodgesLehmann(changes.Values, 0.5)
	if err != nil {
		return c, err
	}
	c.value, c.df = found.Value, n-1
	squares := square(stats.StdErr(changes.Values)) * float64(n*(n-1))
	if rest, err := ChangesOf(m, busy); err == nil && n < calmBlocks {
		k := len(rest.Values)
		squares += square(stats.StdErr(rest.Values)) * float64(k*(k-1))
		c.df += k - 1
	}
	if c.df = max(1, c.df); n == 1 && squares == 0 {
		squares = math.Inf(1) // nothing is known of its scatter
	}
	pairs := 0.0
	for _, v := range changes.Noise {
		pairs += v / float64(n)
	}
	c.stdErr = math.Sqrt(max(squares/float64(c.df), pairs) / float64(n))
	return c, nil
}

// divide are the blocks with their calm pairs alone and with the others alone, and the share that the others are of all
// pairs.
func divide(blocks []Block) (calm, busy []Block, share float64) {
	all, disturbed := 0, 0
	for _, b := range blocks {
		var still, other Block
		for _, p := range b.Pairs {
			if p.Disturbed {
				other.Pairs = append(other.Pairs, p)
			} else {
				still.Pairs = append(still.Pairs, p)
			}
		}
		all, disturbed = all+len(b.Pairs), disturbed+len(other.Pairs)
		if len(still.Pairs) > 0 {
			calm = append(calm, still)
		}
		if len(other.Pairs) > 0 {
			busy = append(busy, other)
		}
	}
	return calm, busy, float64(disturbed) / float64(max(1, all))
}

package conclusion

import (
	"slices"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
)

// AllowForChance widens the intervals of what a variant keeps by what a start gains by chance, which is spread over
// its requests: starts that all gain it agree with each other, and not with what the program keeps.
func AllowForChance(c *record.Contest, starts []*timed.Effects) {
	var requests []uint64
	for _, s := range starts {
		requests = append(requests, s.Answered)
	}
	slices.Sort(requests)
	if len(requests) == 0 || requests[len(requests)/2] == 0 {
		return
	}
	c.RequestsPerStart = requests[len(requests)/2]
	for i := range c.Verdicts {
		v := &c.Verdicts[i]
		if !measure.OfGrowth(v.Measure) || !v.Bounded() || v.Ratio == 1 {
			continue
		}
		chance, a := float64(timed.LeastGain)/float64(c.RequestsPerStart), max(v.A, v.Measure.Floor)
		if v.Measure == measure.HeapGrowth {
			chance = float64(timed.LeastHeapGain) / float64(c.RequestsPerStart)
		}
		least := v.Measure.Floor / a // of the ratio: B keeps nothing
		if v.Low > 1 {
			least = 1 // what is shown to be more stays so
		}
		v.Low, v.High = max(least, v.Low-chance/a), v.High+chance/a
		if v.Ratio < 1 && v.Word.Different() {
			v.High = min(1, v.High)
		}
	}
}

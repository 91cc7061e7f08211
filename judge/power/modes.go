package power

import (
	"math"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// modeLevel is the level at which two groups are said. It is that of uniform values: of normal ones, and of those with
// tails, hardly any fall apart as far.
const modeLevel = 0.05

// ModesOf are the two groups of the blocks that show a measure; nil if they are one group, or the two
// differ by less than the tolerance.
func ModesOf(m judge.Measure, blocks []judge.Block, o judge.Options) *judge.Modes {
	c, err := judge.ChangesOf(m, blocks)
	if err != nil || m.Level != judge.PerSlice {
		return nil
	}
	found, err := stats.TwoModes(c.Values)
	if err != nil || found.P > modeLevel || found.High-found.Low < math.Log1p(o.WithDefaults().Delta) {
		return nil
	}
	return &judge.Modes{Low: math.Exp(found.Low), High: math.Exp(found.High), LowStarts: found.LowN,
		HighStarts: found.HighN, P: found.P}
}

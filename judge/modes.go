package judge

import (
	"math"

	"github.com/gohone/hone/stats"
)

// Modes are two groups into which the starts of a comparison fall: something that comes and goes decides how the
// variants compare, such as a neighbour or one kind of link order. An interval of all starts is of the mixture.
type Modes struct {
	// Low and High are the ratios B/A of both groups, LowStarts and HighStarts how many starts each has.
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	LowStarts  int     `json:"low_starts"`
	HighStarts int     `json:"high_starts"`
	// P is how often starts of one group fall apart as far: see stats.TwoModes.
	P float64 `json:"p"`
}

// modeLevel is the level at which two groups are said. It is that of uniform values: of normal ones, and of those with
// tails, hardly any fall apart as far.
const modeLevel = 0.05

// ModesOf are the two groups of the blocks that show a measure; nil if they are one group, or the two
// differ by less than the tolerance.
func ModesOf(m Measure, blocks []Block, o Options) *Modes {
	c, err := ChangesOf(m, blocks)
	if err != nil || m.Level != PerSlice {
		return nil
	}
	found, err := stats.TwoModes(c.Values)
	if err != nil || found.P > modeLevel || found.High-found.Low < math.Log1p(o.WithDefaults().Delta) {
		return nil
	}
	return &Modes{math.Exp(found.Low), math.Exp(found.High), found.LowN, found.HighN, found.P}
}

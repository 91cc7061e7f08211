package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/stats"
)

// A neighbour that nothing marks, and that costs one side more, makes blocks of two kinds that come in stretches: the test
// takes blocks for independent, and these are not. So a difference below neighbourCost has to be there in both kinds. Two
// kinds that come in any order are luck of starts, which the test knows.
const stretchesLevel = 0.05

// inStretches says why a difference is none: the blocks, in the order of time, fall into two groups, one of which hardly
// shows it, and blocks of a group follow each other.
func (v Verdict) inStretches(blocks []float64) string {
	if !v.Word.Different() || v.beyondNeighbours() {
		return ""
	}
	m, err := stats.TwoModes(blocks)
	if err != nil || m.P > stretchesLevel {
		return ""
	}
	value, least, from := math.Log(v.Ratio), m.Low, slices.Sorted(slices.Values(blocks))[m.LowN]
	if value < 0 {
		least = m.High
	}
	var kinds []bool
	for _, b := range blocks {
		kinds = append(kinds, b >= from)
	}
	if math.Copysign(1, value)*least >= calmPart*math.Abs(value) || stats.RunsP(kinds) > stretchesLevel {
		return ""
	}
	return fmt.Sprintf("its starts are of two kinds, which come in stretches: %d with %+.1f %%, and %d with %+.1f %%. "+
		"Something that comes and goes costs one side more", m.LowN, 100*math.Expm1(m.Low), m.HighN, 100*math.Expm1(m.High))
}

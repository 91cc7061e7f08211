package report

import (
	"math"
	"strings"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/stats"
)

// bandWidth is the width of the bars in characters.
const bandWidth = 32

// band places values between the smallest and the largest of a series.
type band struct{ low, high float64 }

// newBand spans the values, and half of a usual interval and a tenth beyond: a few
// intervals that are much wider are cut off.
func newBand(s history.Series) band {
	var values []ledger.MeasureValue
	for _, e := range s.Entries {
		if e.Counts {
			values = append(values, *e.Measure)
		}
	}
	return bandOf(values)
}

func bandOf(values []ledger.MeasureValue) band {
	b := band{math.Inf(1), math.Inf(-1)}
	var halves []float64
	for _, v := range values {
		b.low, b.high = min(b.low, v.Value), max(b.high, v.Value)
		if v.Low != nil {
			halves = append(halves, (*v.High-*v.Low)/2)
		}
	}
	half, _ := stats.Median(halves) // 0 where there are none
	margin := half + (b.high-b.low)/10
	if margin <= 0 { // one value, or equal ones: show them in the middle
		margin = math.Abs(b.high) / 10
	}
	b.low, b.high = b.low-margin, b.high+margin
	return b
}

// draw writes the interval as dashes and the value as a star; an interval that is cut off
// ends in < or >.
func (b band) draw(m ledger.MeasureValue) string {
	line := []byte(strings.Repeat(" ", bandWidth))
	if m.Low != nil {
		from, to := b.column(*m.Low), b.column(*m.High)
		for i := max(from, 0); i <= min(to, bandWidth-1); i++ {
			line[i] = '-'
		}
		if from < 0 {
			line[0] = '<'
		}
		if to >= bandWidth {
			line[bandWidth-1] = '>'
		}
	}
	line[min(max(b.column(m.Value), 0), bandWidth-1)] = '*'
	return "|" + string(line) + "|"
}

// column is where a value belongs; under 0 or from bandWidth on where it is outside.
func (b band) column(v float64) int {
	if !(b.high > b.low) {
		return bandWidth / 2
	}
	share := (v - b.low) / (b.high - b.low)
	return int(math.Floor(min(max(share, -1), 2) * bandWidth)) // clamped: an int holds it
}

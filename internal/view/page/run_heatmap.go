package page

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/store/packed"
)

const (
	// heatColumns and heatRows are how many a heat map has at most, so that cells are a few pixels wide and high.
	heatColumns = 120
	heatRows    = 40
	// heatRow is the ratio of the bounds of a row at the least: finer rows than 5 % only scatter what belongs together.
	heatRow = 1.05
)

// heatMapOf counts the answers of slices by time and latency; nil without any. Slices are joined, never left out.
func heatMapOf(all []packed.Slice, counts []distribution) *HeatMap {
	low, high := extent(counts)
	if high == 0 {
		return nil
	}
	m := &HeatMap{Seconds: []float64{}, Bounds: rowBounds(low, high), Counts: [][]uint64{}}
	rows := len(m.Bounds) - 1
	step := math.Log(m.Bounds[rows]/m.Bounds[0]) / float64(rows)
	groups := groupSlices(all, heatColumns)
	for i, g := range groups {
		if i > 0 && g.block != groups[i-1].block { // nothing was asked between two starts
			m.Seconds, m.Counts = append(m.Seconds, seconds(groups[i-1].end)), append(m.Counts, make([]uint64, rows))
		}
		column := make([]uint64, rows)
		for i := g.from; i < g.to; i++ {
			for _, bar := range counts[i] {
				at := int(math.Log(middle(bar.From, bar.To)/m.Bounds[0]) / step)
				column[min(rows-1, max(0, at))] += uint64(bar.Count)
			}
		}
		m.Seconds, m.Counts = append(m.Seconds, seconds(g.start)), append(m.Counts, column)
	}
	last := groups[len(groups)-1]
	m.Seconds = append(m.Seconds, seconds(last.end))
	return m
}

func extent(counts []distribution) (low, high float64) {
	for _, one := range counts {
		if len(one) == 0 {
			continue
		}
		first, last := one[0], one[len(one)-1]
		if l := middle(first.From, first.To); low == 0 || l < low {
			low = l
		}
		high = max(high, middle(last.From, last.To))
	}
	return low, high
}

// middle is a latency of a bar, above 0 so that it has a logarithm.
func middle(from, to int64) float64 { return max(1, float64(from)+float64(to-from)/2) }

// rowBounds divides a range of latencies into rows of equal ratio.
func rowBounds(low, high float64) []float64 {
	low, high = low/math.Sqrt(heatRow), high*math.Sqrt(heatRow)
	rows := int(min(heatRows, max(1, math.Ceil(math.Log(high/low)/math.Log(heatRow)))))
	bounds := make([]float64, rows+1)
	for i := range bounds {
		bounds[i] = low * math.Pow(high/low, float64(i)/float64(rows))
	}
	return bounds
}

func seconds(d time.Duration) float64 { return d.Seconds() }

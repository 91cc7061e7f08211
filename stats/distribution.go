package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Bin is a value of a Distribution and how often it was seen.
type Bin struct {
	Value float64
	Count uint64
}

// Distribution is a histogram: the values that were seen, ascending, those with a count of
// 0 left out or not. Values are what the bins of a histogram stand for; two
// distributions that are to be compared should use the same bins.
type Distribution []Bin

// check holds that values are positive, so that they have a logarithm, and ascend.
func (d Distribution) check() error {
	last := 0.0
	for i, b := range d {
		if math.IsNaN(b.Value) || math.IsInf(b.Value, 0) || b.Value <= 0 {
			return fmt.Errorf("bin %d has the value %v, want a finite number over 0", i, b.Value)
		}
		if b.Value <= last {
			return fmt.Errorf("bin %d has the value %v after %v, want ascending ones", i, b.Value, last)
		}
		last = b.Value
	}
	return nil
}

// Merge returns one distribution with the counts of all, bins without a count left out; nil for none.
func Merge(all []Distribution) Distribution {
	var d Distribution
	for _, one := range all {
		d = append(d, one...)
	}
	slices.SortFunc(d, func(x, y Bin) int { return cmp.Compare(x.Value, y.Value) })
	out := d[:0]
	for _, b := range d {
		switch last := len(out) - 1; {
		case b.Count == 0:
		case last >= 0 && out[last].Value == b.Value:
			out[last].Count += b.Count
		default:
			out = append(out, b)
		}
	}
	return out
}

// merges finds quantiles of weighted merges of distributions, whose values it puts on one
// grid once. It looks for the value by bisection, adding up what each distribution has at
// or below it, so that a merge is never written down.
type merges struct {
	values []float64
	// rows[i][at] is how many observations distribution i has up to values[at]: 8 bytes
	// for each value of each, 8 MB for 1,000 distributions over 1,000 values.
	rows [][]float64
}

func newMerges(rows []Distribution) *merges {
	m := &merges{}
	for _, b := range Merge(rows) {
		m.values = append(m.values, b.Value)
	}
	for _, d := range rows {
		row := make([]float64, len(m.values))
		for _, b := range d {
			if b.Count > 0 {
				at, _ := slices.BinarySearch(m.values, b.Value)
				row[at] = float64(b.Count)
			}
		}
		for at := 1; at < len(row); at++ {
			row[at] += row[at-1]
		}
		m.rows = append(m.rows, row)
	}
	return m
}

// Quantile is the smallest value up to which the share q of all observations lies, 0 <= q <= 1 (definition 1 of Hyndman
// & Fan 1996). ok is false if there are none.
func (d Distribution) Quantile(q float64) (value float64, ok bool) {
	return newMerges([]Distribution{d}).quantile([]float64{1}, q)
}

// quantile returns the smallest value whose cumulative count, with each row counted
// weights[row] times, reaches q of all (definition 1 of Hyndman & Fan 1996). ok is false if
// the merge has no counts.
func (m *merges) quantile(weights []float64, q float64) (value float64, ok bool) {
	last := len(m.values) - 1
	if last < 0 {
		return 0, false
	}
	n := m.upTo(last, weights)
	if n == 0 {
		return 0, false
	}
	// q*n may exceed the whole number that it stands for in its last bits.
	target := q * n * (1 - 1e-12)
	at := sort.Search(last, func(at int) bool { return m.upTo(at, weights) >= target })
	return m.values[at], true
}

// upTo returns how many observations the merge has up to values[at].
func (m *merges) upTo(at int, weights []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += w * m.rows[i][at]
	}
	return sum
}

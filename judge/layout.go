package judge

import "github.com/gohone/hone/stats"

// unitsAt is what each look saw of the units of the test: blocks, or all blocks of one layout
// together. values and noise are those of the observed blocks.
func (s observed) unitsAt(looks []stats.Look, blocks []Block, values, noise []float64) []stats.Seen {
	var seen []stats.Seen
	var sum, variance, n []float64 // by unit, in the order in which they came
	unitOf, next := map[int]int{}, 0
	for _, look := range looks {
		for ; next < look.N; next++ {
			layout := blocks[s.blocks[next]].Layout
			unit, known := unitOf[layout]
			if layout == 0 || !known {
				unit = len(sum)
				unitOf[layout] = unit
				sum, variance, n = append(sum, 0), append(variance, 0), append(n, 0)
			}
			sum[unit], variance[unit], n[unit] = sum[unit]+values[next], variance[unit]+noise[next], n[unit]+1
		}
		one := stats.Seen{Spent: look.Spent}
		for i := range sum {
			one.Values, one.Noise = append(one.Values, sum[i]/n[i]), append(one.Noise, variance[i]/(n[i]*n[i]))
		}
		seen = append(seen, one)
	}
	return seen
}

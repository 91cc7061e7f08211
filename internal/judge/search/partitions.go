package search

import (
	"math"
)

// partitions are all ways to cut the observed points of a history into segments of one level. The first segment has the
// level 0, each other one a level that is normal around 0 with the standard deviation scale.
type partitions struct {
	points []int
	gap    []float64 // prior probability of a step before each point

	scale float64
	// Sums over the points up to each: of the precisions, of precision times observation, of precision times its
	// square, and of the logarithms of the normal densities' factors.
	precision, linear, square, factor []float64

	forward  []float64 // logarithm of the sum over all partitions of the points before each, which begins a segment
	backward []float64 // the same of the points from each on
	total    float64
}

// stepsExpected is how many steps the prior expects in the whole history.
const stepsExpected = 1.5

// leastScale is that of steps where hardly anything was seen: two per cent.
const leastScale = 0.02

func newPartitions(h *History) *partitions {
	p := &partitions{points: h.points(), scale: leastScale}
	n := len(p.points)
	at := map[int]int{}
	for i, place := range p.points {
		at[place] = i
	}
	p.gap = make([]float64, n)
	for _, all := range []*[]float64{&p.precision, &p.linear, &p.square, &p.factor} {
		*all = make([]float64, n+1)
	}
	for _, o := range h.Observations {
		p.scale = max(p.scale, math.Abs(o.Log))
	}
	for _, o := range h.Observations {
		i, w := at[o.Place], 1/(o.Err*o.Err)
		p.precision[i+1] += w
		p.linear[i+1] += w * o.Log
		p.square[i+1] += w * o.Log * o.Log
		p.factor[i+1] += math.Log(w/(2*math.Pi)) / 2
	}
	whole := h.weight(0, h.Last())
	for i := 1; i < n; i++ {
		from, to := p.points[i-1], p.points[i]
		if !h.equal(from, to) && whole > 0 {
			p.gap[i] = 1 - math.Exp(-stepsExpected*h.weight(from, to)/whole)
		}
	}
	for i := range n {
		p.precision[i+1] += p.precision[i]
		p.linear[i+1] += p.linear[i]
		p.square[i+1] += p.square[i]
		p.factor[i+1] += p.factor[i]
	}
	p.sum()
	return p
}

// segment is the logarithm of the likelihood of the points from ... to as one segment, with the mean and the variance
// of its level.
func (p *partitions) segment(from, to int) (log, mean, variance float64) {
	w, wx, wxx := p.precision[to+1]-p.precision[from], p.linear[to+1]-p.linear[from], p.square[to+1]-p.square[from]
	log = p.factor[to+1] - p.factor[from] - wxx/2
	for i := from + 1; i <= to; i++ {
		log += math.Log1p(-p.gap[i])
	}
	if from == 0 {
		return log, 0, 0
	}
	prior := 1 / (p.scale * p.scale)
	mean, variance = wx/(w+prior), 1/(w+prior)
	return log + wx*mean/2 + math.Log(prior*variance)/2, mean, variance
}

// cut is the logarithm of the prior probability of a step before a point.
func (p *partitions) cut(at int) float64 { return math.Log(p.gap[at]) }

// sum goes over all partitions, forwards and backwards.
func (p *partitions) sum() {
	n := len(p.points)
	p.forward, p.backward = make([]float64, n+1), make([]float64, n+1)
	for to := range n {
		var terms []float64
		for from := 0; from <= to; from++ {
			if from > 0 && p.gap[from] == 0 {
				continue
			}
			log, _, _ := p.segment(from, to)
			if from > 0 {
				log += p.forward[from] + p.cut(from)
			}
			terms = append(terms, log)
		}
		p.forward[to+1] = logSum(terms)
	}
	for from := n - 1; from >= 0; from-- {
		var terms []float64
		for to := from; to < n; to++ {
			if to+1 < n && p.gap[to+1] == 0 {
				continue
			}
			log, _, _ := p.segment(from, to)
			if to+1 < n {
				log += p.cut(to+1) + p.backward[to+1]
			}
			terms = append(terms, log)
		}
		p.backward[from] = logSum(terms)
	}
	p.total = p.forward[n]
}

// segments calls yield with each segment that can be, its probability, and the mean and variance of its level.
func (p *partitions) segments(yield func(from, to int, probability, mean, variance float64)) {
	for from := range p.points {
		for to := from; to < len(p.points); to++ {
			if log, mean, variance, ok := p.placed(from, to); ok {
				yield(from, to, math.Exp(log-p.total), mean, variance)
			}
		}
	}
}

// placed is a segment with all partitions before and after it.
func (p *partitions) placed(from, to int) (log, mean, variance float64, ok bool) {
	if p.gap[from] == 0 && from > 0 || to+1 < len(p.points) && p.gap[to+1] == 0 {
		return 0, 0, 0, false
	}
	log, mean, variance = p.segment(from, to)
	if from > 0 {
		log += p.forward[from] + p.cut(from)
	}
	if to+1 < len(p.points) {
		log += p.cut(to+1) + p.backward[to+1]
	}
	return log, mean, variance, true
}

// neighbours calls yield with each pair of segments that can meet before the point at: its probability, and mean and
// variance of the difference of their levels.
func (p *partitions) neighbours(yield func(at int, probability, mean, variance float64)) {
	n := len(p.points)
	for at := 1; at < n; at++ {
		if p.gap[at] == 0 {
			continue
		}
		for from := range at {
			if from > 0 && p.gap[from] == 0 {
				continue
			}
			before, mean1, variance1 := p.segment(from, at-1)
			if from > 0 {
				before += p.forward[from] + p.cut(from)
			}
			for to := at; to < n; to++ {
				if to+1 < n && p.gap[to+1] == 0 {
					continue
				}
				after, mean2, variance2 := p.segment(at, to)
				if to+1 < n {
					after += p.cut(to+1) + p.backward[to+1]
				}
				yield(at, math.Exp(before+p.cut(at)+after-p.total), mean2-mean1, variance1+variance2)
			}
		}
	}
}

// logSum is the logarithm of the sum of the exponentials.
func logSum(logs []float64) float64 {
	largest := math.Inf(-1)
	for _, l := range logs {
		largest = max(largest, l)
	}
	if math.IsInf(largest, -1) {
		return largest
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - largest)
	}
	return largest + math.Log(sum)
}

package walltime

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
)

// Cohort are requests whose latency lies between two percentiles.
type Cohort struct {
	Name     string  `json:"name"` // "typical", "slow", or as "p95"
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Requests int     `json:"requests"`
	// LatencyNanos is the mean of the cohort; the parts add up to it.
	LatencyNanos float64 `json:"latency_ns"`
	Unexplained  float64 `json:"unexplained_ns"`
	// Unjoined are the requests whose work was not found in the trace, UnjoinedNanos what they add to Unexplained.
	Unjoined      int     `json:"unjoined,omitempty"`
	UnjoinedNanos float64 `json:"unjoined_ns,omitempty"`
	Parts         []Part  `json:"parts"`
	// Statements are those of SQL that a program built by hone works on meanwhile, the largest first: the same time as
	// Parts, by another key.
	Statements []Statement `json:"statements,omitempty"`
}

// The cohorts of a digest: typical requests lie between two percentiles of latency around p50, slow ones from
// one on. Two wider cohorts are there for who wants to see more requests than the slowest hundredth.
const (
	typicalHalf, mostHalf = 5, 25 // percent on each side of p50, and at most, where a trace has few requests
	slowFrom              = 99
	TypicalName, SlowName = "typical", "slow"
)

// FewestMean is how many requests the mean of a cohort needs: with three of a program that pauses now and then, one
// pause is a third of it.
const FewestMean = 10

// typicalBand are the percentiles between which the typical ones of n requests lie: p45 and p55, and wider ones where
// fewer than FewestMean are between those.
func typicalBand(n int) (from, to float64) {
	half := min(max(typicalHalf, math.Ceil(100*FewestMean/2/float64(n))), mostHalf)
	return 50 - half, 50 + half
}

var widerFrom = []float64{90, 95}

// typical is the cohort of the typical requests, of all that are sorted by latency.
func (d *Digest) typical(l *labeller, all []seen) Cohort {
	from, to := typicalBand(len(all))
	return d.cohort(l, TypicalName, cut(all, from, to), from, to)
}

// cut is the part of sorted requests between two percentiles, one request at the least.
func cut(all []seen, from, to float64) []seen {
	n := float64(len(all))
	a, b := int(math.Floor(n*from/100)), int(math.Ceil(n*to/100))
	a = min(a, len(all)-1)
	return all[a:max(a+1, min(b, len(all)))]
}

// mostPieces is how many pieces of time the requests of a cohort are divided into. A request that waits for a processor
// is divided by whatever had the processor meanwhile: with a thousand requests outstanding, each change of a processor
// would be looked at a thousand times, and reading a trace could take longer than the measurement.
const mostPieces = 1_000_000

// cohort walks the requests of a cohort: all, or those that mostPieces allow, spread evenly over its latencies. What is
// said of one request is the mean of those that are walked.
func (d *Digest) cohort(l *labeller, name string, members []seen, from, to float64) Cohort {
	c := Cohort{Name: name, From: from, To: to, Requests: len(members)}
	for i := range members {
		if members[i].window.by == none {
			c.Unjoined++
		}
	}
	sums, on := map[chainID]int64{}, newStatements(l)
	n, divided := 0.0, 0
	for i := range spread(len(members)) {
		if divided > mostPieces {
			break
		}
		n++
		pieces := l.request(&members[i])
		divided += len(pieces)
		for _, p := range pieces {
			sums[p.chain] += p.to - p.from
		}
		c.LatencyNanos += float64(latency(&members[i]))
		if members[i].window.by == none {
			c.UnjoinedNanos += float64(members[i].Answered - members[i].Sent)
			continue
		}
		on.request(pieces, l.walker.calls)
	}
	c.LatencyNanos /= n
	c.UnjoinedNanos /= n
	c.Statements = on.perRequest()
	parts := map[partKey]*Part{}
	var order []*Part
	most := map[*Part]float64{}
	for id := range chainID(len(l.chains)) {
		sum := sums[id]
		if sum == 0 {
			continue
		}
		label, each := l.label(id), float64(sum)/n
		d.samples = append(d.samples, sample{cohort: name, label: label, chain: l.links(id), nanos: each})
		if label.State == Unexplained {
			c.Unexplained += each
		}
		p := parts[keyOf(label)]
		if p == nil {
			p = &Part{Label: label}
			parts[keyOf(label)] = p
			order = append(order, p)
		}
		p.Nanos += each
		if label.Limit > 0 && each > most[p] {
			p.Label, most[p] = label, each // who had the connections for longest
		}
	}
	for _, p := range order {
		c.Parts = append(c.Parts, *p)
	}
	slices.SortStableFunc(c.Parts, func(a, b Part) int { return cmp.Compare(b.Nanos, a.Nanos) })
	return c
}

// spread are the indices below n in an order of which each beginning is spread evenly: 0, the middle, the quarters and
// so on (the sequence of van der Corput).
func spread(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		width := bits.Len(uint(n - 1))
		for k := range uint64(1) << width {
			if i := int(bits.Reverse64(k) >> (64 - width)); i < n && !yield(i) {
				return
			}
		}
	}
}

package advice

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
)

// Change is a finding that one variant has and the other has not, or has at another cost.
type Change struct {
	Rule  string     `json:"rule"`
	Title string     `json:"title"`
	Place code.Place `json:"place"`
	// Word is Gone, New or Moved.
	Word    ChangeWord `json:"word"`
	Measure Measure    `json:"measure"`
	// Delta is what it takes more of in B than in A, in nanoseconds of CPU time per request; 0 for other measures. A
	// variant that does not have the finding counts as 0.
	Delta float64 `json:"delta_ns,omitempty"`
	// Endless is that of the finding.
	Endless bool `json:"endless,omitempty"`
}

// ChangeWord says what became of a finding from A to B.
type ChangeWord string

// The words.
const (
	Gone  ChangeWord = "gone"
	New   ChangeWord = "new"
	Moved ChangeWord = "changed" // it is in both, at another cost
)

// sides are what two variants have of one rule in one function.
type sides struct {
	finding  Finding
	has      [2]bool
	cost     [2]float64 // nanoseconds of CPU time per request
	variance float64    // of their difference
}

// Changes says which findings explain a difference of two programs that take cpu nanoseconds of CPU time per request, A
// and B, the largest first: those that go the way of the difference. Findings are those of one rule in one function,
// whose lines may have moved. A rule is silent below its threshold, so that a finding has to cost more than that, and
// than the error of the profiles, before it is new or gone; and what goes beyond the whole difference explains none of
// it. Findings of growth and memory come after those of CPU time, and do not depend on the difference.
func Changes(a, b *Findings, cpu [2]float64) (all []Change) {
	if a == nil || b == nil {
		return nil
	}
	pairs := pairUp(a, b, cpu)
	whole := cpu[1] - cpu[0]
	sum, errors := 0.0, 0.0
	for _, p := range pairs {
		delta := p.cost[1] - p.cost[0]
		silent := 0.0 // what the side that is silent may have
		if p.has != [2]bool{true, true} {
			silent = least * max(cpu[0], cpu[1])
		}
		if beyond := math.Abs(delta) - silent - 2*math.Sqrt(p.variance); p.finding.Explained == 0 || beyond <= 0 ||
			delta*whole <= 0 {
			continue
		}
		sum, errors = sum+delta, errors+p.variance+silent*silent
		all = append(all, p.change(delta))
	}
	if math.Abs(sum) > math.Abs(whole)+2*math.Sqrt(errors) {
		all = nil
	}
	for _, p := range pairs {
		if p.has[0] != p.has[1] && (p.finding.Measure == Memory ||
			p.finding.Measure == Growing && grewApart(a.Growth, b.Growth)) {
			all = append(all, p.change(0))
		}
	}
	slices.SortStableFunc(all, func(x, y Change) int { return cmp.Compare(math.Abs(y.Delta), math.Abs(x.Delta)) })
	return all
}

// grewApart says whether one variant gained twice as much per request as the other, so that no threshold lies between
// two that are alike.
func grewApart(a, b facts.Growth) bool {
	apart := func(x, y float64) bool { return max(x, y) > 2*min(x, y) }
	return apart(a.Goroutines, b.Goroutines) || apart(a.HeapBytes, b.HeapBytes) || apart(a.Descriptors, b.Descriptors)
}

// otherCollector is how many times as dear the collector's work for a byte has to be in one variant for the collector
// to be another one.
const otherCollector = 1.5

// collectedApart says whether a byte that is allocated costs the collector far more in one variant than in the other:
// its settings differ, or the heap that it marks. Its work then says nothing about those who allocate.
func collectedApart(a, b *Findings, cpu [2]float64) bool {
	x, y := a.PerByte*cpu[0], b.PerByte*cpu[1]
	return min(x, y) > 0 && max(x, y) > otherCollector*min(x, y)
}

// pairUp finds what both variants have of each rule in each function, in a fixed order.
func pairUp(a, b *Findings, cpu [2]float64) []*sides {
	type key struct{ rule, function string }
	of := map[key]*sides{}
	var all []*sides
	collected := collectedApart(a, b, cpu)
	for i, findings := range []*Findings{a, b} {
		for _, f := range findings.Findings {
			k := key{f.Rule, f.Place.Function}
			if of[k] == nil {
				of[k] = &sides{finding: f}
				all = append(all, of[k])
			}
			p := of[k]
			share := f.Explained
			if collected {
				share = f.Worked
			}
			p.has[i] = true
			p.cost[i] += share * cpu[i]
			if n := float64(findings.Samples); n > 0 { // binomial
				p.variance += share * (1 - share) / n * cpu[i] * cpu[i]
			}
		}
	}
	slices.SortStableFunc(all, func(x, y *sides) int {
		return cmp.Or(code.ComparePlaces(x.finding.Place, y.finding.Place), cmp.Compare(x.finding.Rule, y.finding.Rule))
	})
	return all
}

func (p *sides) change(delta float64) Change {
	c := Change{Rule: p.finding.Rule, Title: p.finding.Title, Place: p.finding.Place, Measure: p.finding.Measure,
		Delta: delta, Word: Moved, Endless: p.finding.Endless}
	switch p.has {
	case [2]bool{true, false}:
		c.Word = Gone
	case [2]bool{false, true}:
		c.Word = New
	}
	return c
}

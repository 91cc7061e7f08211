package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// classes is into how many residue classes the requests of a schedule are split: shares are multiples of 1 in so many.
const classes = 64

// Split deals a load out to generators in proportion to their weights: connections and, of a closed loop, requests by
// their number, and the requests of an open loop by residue classes. Each gets at least one connection. The seed of
// Poisson arrivals stays: shares draw from different parts of it.
//
// Errors are *fail.Error of kind BadInput.
func Split(plan load.Plan, s load.Schedule, weights []float64) ([]load.Plan, []load.Schedule, error) {
	n := len(weights)
	if plan.Connections < n {
		return nil, nil, fail.New(fail.BadInput, "%d connections cannot be split between %d agents", plan.Connections,
			n).
			WithHint("use -c %d or more, or fewer agents", n)
	}
	if !s.Open() && s.Requests > 0 && s.Requests < uint64(n) {
		return nil, nil, fail.New(fail.BadInput, "%d requests cannot be split between %d agents", s.Requests, n)
	}
	connections := dealInts(plan.Connections, weights)
	plans, schedules := make([]load.Plan, n), make([]load.Schedule, n)
	for i := range n {
		plans[i], schedules[i] = plan, s
		plans[i].Connections = connections[i]
	}
	switch {
	case s.Open():
		of := max(classes, n)
		for i, mine := range dealClasses(of, dealInts(of, weights)) {
			schedules[i].Share = load.Share{Of: of, Classes: mine}
		}
	case s.Requests > 0:
		if s.Requests > 1<<53 { // beyond it floating point is not exact
			return nil, nil, fail.New(fail.BadInput, "%d requests are more than can be split",
				s.Requests).WithHint("give a duration: -d 1h")
		}
		for i, mine := range dealInts(int(s.Requests), weights) {
			schedules[i].Requests = uint64(mine)
		}
	}
	return plans, schedules, nil
}

// dealInts splits n in proportion to the weights, by the largest remainders (Hamilton's method), after each got 1. A
// weight that is negative, infinite or not a number counts as 0. If all are 0, the parts are equal.
func dealInts(n int, weights []float64) []int {
	largest, sum := 0.0, 0.0
	for _, w := range weights {
		if w > largest && !math.IsInf(w, 0) {
			largest = w
		}
	}
	parts := make([]float64, len(weights)) // of the largest, so that their sum is finite
	for i, w := range weights {
		if w > 0 && w <= largest {
			parts[i] = w / largest
		}
		sum += parts[i]
	}
	out, order, rest := make([]int, len(weights)), make([]int, len(weights)), make([]float64, len(weights))
	left := n
	for i := range parts {
		part := 1 / float64(len(weights))
		if sum > 0 {
			part = parts[i] / sum
		}
		exact := 1 + float64(n-len(weights))*part
		out[i], order[i] = int(exact), i
		rest[i] = exact - float64(out[i])
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for i := 0; left > 0; i, left = i+1, left-1 { // one round, but for an error of floating point
		out[order[i%len(order)]]++
	}
	return out
}

// dealClasses spreads the classes evenly: the next class always goes to the one that is furthest behind its part.
func dealClasses(of int, counts []int) [][]int {
	out := make([][]int, len(counts))
	for class := range of {
		most := 0
		for i, n := range counts {
			// (class+1)*n/of is how many it should have by now.
			if behind := (class+1)*n - len(out[i])*of; behind > (class+1)*counts[most]-len(out[most])*of {
				most = i
			}
		}
		out[most] = append(out[most], class)
	}
	return out
}

// SplitRows is the rows of a feed that belong to each of n generators: every n-th, so that none is sent by two.
func SplitRows(rows [][]string, n int) ([][][]string, error) {
	if len(rows) < n {
		return nil, fail.New(fail.BadInput, "the feed has %d rows for %d agents: each row belongs to one agent",
			len(rows), n).
			WithHint("use fewer agents, or a longer feed")
	}
	out := make([][][]string, n)
	for i, row := range rows {
		out[i%n] = append(out[i%n], row)
	}
	return out, nil
}

// Choice is which agents a run is to have.
type Choice struct {
	// Count is how many; 0 means all that fit.
	Count int
	// Labels are what they must have.
	Labels map[string]string
}

// Choose takes the agents that a run is to have out of those that are there: the largest first. Errors say what is
// missing.
func (c Choice) Choose(there []Hello, version string) ([]Hello, error) {
	var fit []Hello
	busy, others := 0, 0
	for _, h := range there {
		switch {
		case !c.fits(h):
		case h.Version != version:
			others++
		case h.Busy != "":
			busy++
		default:
			fit = append(fit, h)
		}
	}
	slices.SortFunc(fit, func(a, b Hello) int {
		return cmp.Or(cmp.Compare(b.CapacityHz, a.CapacityHz), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	want := max(1, c.Count)
	if len(fit) < want {
		err := fail.New(fail.Environment,
			"the run needs %d agents, and %d are free that fit (%d answered, %d are busy, %d have another version of hone)",
			want, len(fit), len(there), busy, others)
		return nil, err.WithHint("hone agent list lists them; hone agent starts one")
	}
	if c.Count > 0 {
		fit = fit[:c.Count]
	}
	return fit, nil
}

func (c Choice) fits(h Hello) bool {
	for key, value := range c.Labels {
		if have, ok := h.Labels[key]; !ok || have != value {
			return false
		}
	}
	return true
}

// Within checks a part of a load against what the user of an agent allows.
func (h Hello) Within(plan load.Plan, s load.Schedule) error {
	if h.MaxConnections > 0 && plan.Connections > h.MaxConnections {
		return fail.New(fail.BadInput, "%d connections are more than this agent allows (%d)", plan.Connections,
			h.MaxConnections).
			WithHint("use fewer connections or more agents, or raise hone agent --max-connections")
	}
	if h.MaxRateHz <= 0 {
		return nil
	}
	if !s.Open() {
		return fail.New(fail.BadInput, "a closed loop has no rate, and this agent allows %g requests per second",
			h.MaxRateHz).
			WithHint("name a rate (hone load --rate), or start the agent without --max-rate")
	}
	if top := s.Own().TopRate(); top > h.MaxRateHz*(1+1e-9) {
		return fail.New(fail.BadInput, "%g requests per second are more than this agent allows (%g)", top, h.MaxRateHz).
			WithHint("use a lower rate (hone load --rate) or more agents, or raise hone agent --max-rate")
	}
	return nil
}

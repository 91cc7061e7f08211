package facts

import (
	"math"

	"github.com/gohone/hone/internal/insight/walltime"
)

// Statement is what requests spend on a statement.
type Statement struct {
	Latency
	One walltime.Statement
	// Nanos is the time of a request that it takes, a mean of all of these requests; of slow ones, what it takes more
	// than in typical ones.
	Nanos float64
	// Callers is the part of these requests that call it, 0 to 1; All says that it is all of them. Calls is how often
	// one of those does, Each the time of a call in nanoseconds: in typical requests Nanos is Callers * Calls * Each.
	Callers, Calls, Each float64
	All                  bool
	// EachTypical is the time of a call in typical requests, of a statement of slow ones.
	EachTypical float64
	// Outgrows is how much more the statement grows from typical to slow requests than what else they do.
	Outgrows float64
}

// Share is the part of the latency that it takes, 0 to 1.
func (s *Statement) Share() float64 { return min(1, s.Nanos/s.Whole) }

// OfEndpoint is a word and the endpoint, where the load has several.
func (s *Statement) OfEndpoint(word string) string {
	if s.endpoint == "" {
		return ""
	}
	return word + s.endpoint
}

// SameRequests says that two statements are of the same requests.
func (s *Statement) SameRequests(o *Statement) bool {
	return s.Slow == o.Slow && s.endpoint == o.endpoint
}

// spent is what the requests of a cohort spend on a statement.
func spent(o Latency, c *walltime.Cohort, s walltime.Statement) Statement {
	o.unqueued, o.Whole = c.Busy(), c.Whole()
	return Statement{
		Latency: o, One: s, Nanos: c.Part(&s), Each: s.PerCall(c.Part(&s)),
		Callers: c.Callers(&s), All: c.AllCall(&s), Calls: c.CallsEach(&s),
	}
}

// Statements are those of the typical requests, and those that slow ones spend more time on, the largest first; of
// each endpoint.
func (v *View) Statements() (all []Statement) {
	type key struct {
		text, file string
		line       int
	}
	for _, e := range v.endpoints() {
		before := map[key]Statement{}
		for _, s := range e.Typical.Statements {
			one := spent(e.typical(), &e.Typical, s)
			before[key{s.Text, s.File, s.Line}] = one
			all = append(all, one)
		}
		if e.Slow.Whole() <= 0 {
			continue
		}
		for _, s := range e.Slow.Statements {
			old, one := before[key{s.Text, s.File, s.Line}], spent(e.slow(), &e.Slow, s)
			rest := (e.Slow.LatencyNanos - s.Nanos) / (e.Typical.LatencyNanos - old.One.Nanos)
			one.Outgrows = s.Nanos / math.Max(1, old.One.Nanos) / math.Max(1, rest)
			typical := e.Slow.Part(&old.One)
			one.Nanos, one.EachTypical = one.Nanos-typical, old.One.PerCall(typical)
			all = append(all, one)
		}
	}
	return all
}

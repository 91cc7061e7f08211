package walltime

import (
	"cmp"
	"slices"
)

// Endpoint are the requests of a load that go to one of its targets, or of a service that have a name in common.
// Typical and slow requests are those of this endpoint alone: p50 of several endpoints together is the slowest of one
// and the fastest of another.
type Endpoint struct {
	Service  string `json:"service,omitempty"`
	Name     string `json:"name"`
	Requests int    `json:"requests"`
	// Typical are the requests around p50, Slow those from a percentile on.
	Typical Cohort `json:"typical"`
	Slow    Cohort `json:"slow"`
	// Causes and Outside are as in Digest; nil of spans.
	Causes  []Cause `json:"causes,omitempty"`
	Outside []Cause `json:"outside,omitempty"`
}

const (
	// leastOfEndpoint are needed for a typical request of an endpoint.
	leastOfEndpoint = 40
	// MostEndpoints are kept, those of most time in all.
	MostEndpoints = 20
)

// endpoints divides requests, sorted by latency, among the endpoints that the load tells apart.
func (d *Digest) endpoints(l *labeller, sorted []seen, o Options) []Endpoint {
	of := make([][]seen, len(o.Endpoints))
	for _, s := range sorted {
		if s.Target >= 0 && s.Target < len(of) {
			of[s.Target] = append(of[s.Target], s)
		}
	}
	var all []Endpoint
	from := cmp.Or(o.From, slowFrom)
	for i, some := range of {
		if len(some) < leastOfEndpoint {
			continue
		}
		e := Endpoint{
			Name: o.Endpoints[i], Requests: len(some),
			Typical: d.typical(l, some),
			Slow:    d.cohort(l, SlowName, cut(some, from, 100), from, 100),
		}
		e.Causes, e.Outside = Causes(&e.Typical, &e.Slow)
		all = append(all, e)
	}
	return Largest(all)
}

// Largest are the endpoints that take most time in all, at most MostEndpoints of them.
func Largest(all []Endpoint) []Endpoint {
	slices.SortStableFunc(all, func(a, b Endpoint) int {
		whole := func(e Endpoint) float64 { return float64(e.Requests) * e.Typical.LatencyNanos }
		return cmp.Or(cmp.Compare(whole(b), whole(a)), cmp.Compare(a.Service, b.Service), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(MostEndpoints, len(all))]
}

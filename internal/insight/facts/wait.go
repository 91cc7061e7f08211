package facts

import (
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
)

// Wait is a part of the wall time of requests, as the execution trace shows it.
type Wait struct {
	Latency
	Own    walltime.Call  // what the request did
	Behind *walltime.Call // what another goroutine did meanwhile; nil if none was followed
	Holder *walltime.Call // where the holder of a lock waits itself for Behind; nil if it does not
	Share  float64        // of the measure, 0 to 1
	Nanos  float64        // per request; of slow ones, more than of typical ones
}

// Place is the user's line of a wait: the request's own or, if asked for and known, that of the other goroutine.
func (w *Wait) Place(behind bool) code.Place {
	c := w.Own
	if w.Behind != nil && w.Behind.Function != "" && (behind || c.Function == "") {
		c = *w.Behind
	}
	return code.Place{Function: c.Function, File: c.File, Line: int64(c.Line)}
}

// Label is the wait as part of a trace's digest, which PartText names.
func (w *Wait) Label() walltime.Label {
	return walltime.Label{Call: w.Own, Behind: w.Behind, Holder: w.Holder}
}

// Places are the user's lines of a wait: the request's own, and that of the other goroutine.
func (w *Wait) Places() (all []code.Place) {
	for _, behind := range []bool{false, true} {
		if p := w.Place(behind); p.Function != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// EachWait are the parts of the typical request, the largest first, and then the causes of the slow ones; of each
// endpoint.
func (v *View) EachWait() (all []Wait) { return waitsOf(v.endpoints()) }

// WaitOfAll are the same of all requests together, whatever their endpoints.
func (v *View) WaitOfAll() (all []Wait) { return waitsOf(v.allRequests()) }

func waitsOf(endpoints []endpoint) (all []Wait) {
	for _, e := range endpoints {
		if e.Typical.Requests < walltime.FewestMean {
			continue
		}
		o := e.typical()
		for _, p := range e.Typical.Parts {
			all = append(all, Wait{Latency: o, Own: p.Call, Behind: p.Behind, Holder: p.Holder,
				Share: p.Nanos / o.Whole, Nanos: p.Nanos})
		}
		o = e.slow()
		for _, c := range e.Causes {
			if o.Whole > 0 && e.Slow.Requests >= walltime.FewestMean {
				// The gain is of the tail itself, not of what it is longer by.
				share := min(1, c.Nanos/o.Whole)
				all = append(all, Wait{Latency: o, Own: c.Call, Behind: c.Behind, Holder: c.Holder, Share: share,
					Nanos: c.Nanos})
			}
		}
	}
	return all
}

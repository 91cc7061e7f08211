package facts

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// Latency says which requests a share of latency is of.
type Latency struct {
	// Slow says that it is of what slow requests take longer than typical ones; else it is of typical ones.
	Slow bool
	// endpoint is empty where the load has one target.
	endpoint string
	// unqueued says that waits for a processor are left out of the latency.
	unqueued bool
	// Whole is the latency in nanoseconds, a mean of these requests in the trace.
	Whole float64
	// Longer is what slow requests take more than typical ones, in nanoseconds; 0 of typical ones.
	Longer float64
	// Traced is how many of these requests the trace has.
	Traced int
}

// endpoints are those of the load, each with its own typical and slow requests; where it has one target, that.
func (v *View) endpoints() []endpoint {
	if v.Waits == nil {
		return nil
	}
	var all []endpoint
	for _, e := range v.Waits.Endpoints {
		if e.Typical.LatencyNanos > 0 {
			all = append(all, endpoint{e})
		}
	}
	if len(all) > 0 {
		return all
	}
	return v.allRequests()
}

// allRequests are the requests of all endpoints as one; none where no trace says what they wait for.
func (v *View) allRequests() []endpoint {
	if v.Waits == nil {
		return nil
	}
	typical, slow := v.Waits.Cohort(walltime.TypicalName), v.Waits.Cohort(walltime.SlowName)
	if typical == nil || typical.LatencyNanos <= 0 {
		return nil
	}
	one := endpoint{walltime.Endpoint{Typical: *typical, Causes: v.Waits.Causes}}
	if slow != nil {
		one.Slow = *slow
	}
	return []endpoint{one}
}

// endpoint has the requests of one endpoint, or all.
type endpoint struct{ walltime.Endpoint }

func (e *endpoint) typical() Latency {
	return Latency{endpoint: e.Name, Whole: e.Typical.LatencyNanos, Traced: e.Typical.Requests}
}

func (e *endpoint) slow() Latency {
	return Latency{Slow: true, endpoint: e.Name, Whole: e.Slow.LatencyNanos,
		Longer: max(0, e.Slow.LatencyNanos-e.Typical.LatencyNanos), Traced: e.Slow.Requests}
}

// Requests is what follows the measure: "of GET /orders without waits for a processor"; empty for all of all requests.
func (o Latency) Requests() string {
	text := ""
	if o.endpoint != "" {
		text = "of " + o.endpoint
	}
	if o.unqueued {
		text += " without waits for a processor"
	}
	return strings.TrimSpace(text)
}

// Who are the requests in a sentence.
func (o Latency) Who() string {
	who := "requests"
	if o.Slow {
		who = "slow requests"
	}
	if o.endpoint != "" {
		who += " of " + o.endpoint
	}
	return who
}

// Text is the latency in a sentence.
func (o Latency) Text() string {
	if o.Slow {
		return strings.TrimSpace("the latency of a slow request "+o.Requests()) + ", more than of a typical one"
	}
	return strings.TrimSpace("the latency of a typical request " + o.Requests())
}

// Amount is a part of the latency, as a share and as a time: of slow requests, of what they take longer.
func (o Latency) Amount(nanos float64) string {
	if o.Slow && o.Longer >= nanos {
		return fmt.Sprintf("%s of what %s take longer than typical ones (%s)", units.Share(nanos/o.Longer), o.Who(),
			PartOfWhole(nanos, o.Longer))
	}
	return fmt.Sprintf("%s of %s (%s)", units.Share(nanos/o.Whole), o.Text(), PartOfWhole(nanos, o.Whole))
}

// PartOfWhole writes two times in one unit: "2.11 of 3.58 ms".
func PartOfWhole(part, whole float64) string {
	unit := units.Nanoseconds.Pick(whole)
	return fmt.Sprintf("%s of %s %s", units.Digits(part/unit.Scale), units.Digits(whole/unit.Scale), unit.Name)
}

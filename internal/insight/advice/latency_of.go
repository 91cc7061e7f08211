package advice

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// latencyOf says which requests a share of latency is of.
type latencyOf struct {
	measure Measure // Latency: of typical requests; Tail: of what slow ones take longer
	// endpoint is empty where the load has one target.
	endpoint string
	// unqueued says that waits for a processor are left out of the latency.
	unqueued bool
	// whole is the latency in nanoseconds, a mean of these requests in the trace.
	whole float64
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

func (e *endpoint) typical() latencyOf {
	return latencyOf{measure: Latency, endpoint: e.Name, whole: e.Typical.LatencyNanos}
}

func (e *endpoint) slow() latencyOf {
	return latencyOf{measure: Tail, endpoint: e.Name, whole: e.Slow.LatencyNanos}
}

// requests is what follows the measure: "of GET /orders without waits for a processor"; empty for all of all requests.
func (o latencyOf) requests() string {
	text := ""
	if o.endpoint != "" {
		text = "of " + o.endpoint
	}
	if o.unqueued {
		text += " without waits for a processor"
	}
	return strings.TrimSpace(text)
}

// who are the requests in a sentence.
func (o latencyOf) who() string {
	who := "requests"
	if o.measure == Tail {
		who = "slow requests"
	}
	if o.endpoint != "" {
		who += " of " + o.endpoint
	}
	return who
}

// text is the latency in a sentence.
func (o latencyOf) text() string {
	if o.measure == Tail {
		return strings.TrimSpace("the latency of a slow request "+o.requests()) + ", more than of a typical one"
	}
	return strings.TrimSpace("the latency of a typical request " + o.requests())
}

// amount is a part of the latency, as a share and as a time.
func (o latencyOf) amount(nanos float64) string {
	return fmt.Sprintf("%s of %s (%s)", percent(nanos/o.whole), o.text(), PartOfWhole(nanos, o.whole))
}

// PartOfWhole writes two times in one unit: "2.11 of 3.58 ms".
func PartOfWhole(part, whole float64) string {
	unit := units.Nanoseconds.Pick(whole)
	return fmt.Sprintf("%s of %s %s", units.Digits(part/unit.Scale), units.Digits(whole/unit.Scale), unit.Name)
}

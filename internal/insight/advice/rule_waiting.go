package advice

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// What requests wait for. The evidence is the execution trace.

var latencyThreshold = []Threshold{{Name: "latency", Value: leastWait,
	Reason: "parts under a tenth of the latency move by more than that from run to run"}}

var sleepInPath = &Rule{
	Name: "sleep-in-path", Title: "sleeping or polling in the path of a request",
	Looks: "time that requests, or those that they wait for, sleep or wait for a timer", Thresholds: latencyThreshold,
	Remedy: Remedy{
		Change: "Wait for the event and not for the clock: a channel, a condition variable or a callback wakes up the " +
			"moment that the work is there. A retry needs a pause only after a failure.",
		Before: "for !job.done() { time.Sleep(time.Millisecond) }",
		After:  "<-job.finished",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.waitsAt(r, true, func(w facts.Wait) string {
			if v.inStatement(w) || w.Own.State == walltime.Lock || v.limits(w) != nil ||
				w.Own.State != walltime.Sleep && (w.Behind == nil || w.Behind.State != walltime.Sleep) {
				return ""
			}
			return fmt.Sprintf("%s sleep for %s", w.Who(), ofTheirTime(w))
		})
	},
}

// longTurn is from which wait on, in nanoseconds, work is said to hold a processor for milliseconds.
const longTurn = 1e6

var processorHeld = &Rule{
	Name: "processor-held", Title: "work that holds a processor while requests wait for one",
	Looks: "time that slow requests wait for a processor, and which line of the user's has it: of the background or, in " +
		"an open loop, of other requests; not where other programs had the processors, too",
	Thresholds: append([]Threshold{
		{Name: "wait", Value: longTurn,
			Reason: "nanoseconds of a slow request: where there is more to do than there are " +
				"processors, all wait for shorter turns"},
	}, latencyThreshold...),
	Remedy: Remedy{
		Change: "Work that takes a processor for milliseconds delays each request that comes meanwhile. Make it cheaper, " +
			"or let fewer goroutines do it at the same time than there are processors.",
		Before: "for _, item := range all { go rebuild(item) }",
		After: "free := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)) // one processor is left for requests\n" +
			"for _, item := range all {\n\tfree <- struct{}{}\n\tgo func() { rebuild(item); <-free }()\n}",
	},
	Find: func(v *search, r *Rule) []*found {
		if v.Numbers.Disturbed {
			v.Missing = append(v.Missing, "who has the processors that requests wait for: other programs had them, too")
			return nil
		}
		return v.waitsAt(r, true, func(w facts.Wait) string {
			if w.Nanos < longTurn {
				return ""
			}
			if !w.Slow || w.Own.State != walltime.Runnable || w.Behind == nil || w.Behind.Function == "" ||
				v.foundIn(w.Behind.Function, "") {
				return "" // or another finding names the line
			}
			if w.Behind.State == walltime.Requests && !v.Numbers.OpenLoop {
				// where each answer is followed by the next request, requests wait for each other, whatever they do
				return ""
			}
			return fmt.Sprintf("slow requests wait for a processor that %s has", facts.Short(w.Behind.Function))
		})
	},
}

// foundIn says whether a rule, or any if it is empty, has found something in a function already.
func (v *search) foundIn(function, rule string) bool {
	return slices.ContainsFunc(v.found, func(f *found) bool {
		return (rule == "" || f.rule.Name == rule) && f.Place.Function == function
	})
}

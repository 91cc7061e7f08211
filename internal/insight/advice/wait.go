package advice

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// wait is a part of the wall time of requests, as the execution trace shows it.
type wait struct {
	measure Measure
	own     walltime.Call  // what the request did
	behind  *walltime.Call // what another goroutine did meanwhile; nil if none was followed
	share   float64        // of the measure, 0 to 1
	nanos   float64        // per request
}

// place is the user's line of a wait: the request's own or, if asked for and known, that of the other goroutine.
func (w *wait) place(behind bool) Place {
	c := w.own
	if w.behind != nil && w.behind.Function != "" && (behind || c.Function == "") {
		c = *w.behind
	}
	return Place{Function: c.Function, File: c.File, Line: int64(c.Line)}
}

// leastWait is the part of a latency from which on a wait is a finding. The parts of a typical request come from a few
// hundred requests; under a tenth they move by more than that from run to run.
const leastWait = 0.10

// leastTail is the same of the slow requests: those of a trace are some twenty.
const leastTail = 0.20

// waits makes findings of the waits that say names: of the typical request, and of what makes slow ones slow. say is
// the title; empty for a wait that is not the rule's.
func (v *View) waits(r *Rule, say func(wait) string) []*found { return v.waitsAt(r, false, say) }

// waitsAt is waits; behind puts a finding at the line of the goroutine that is waited for, where that is known.
func (v *View) waitsAt(r *Rule, behind bool, say func(wait) string) []*found {
	var all []*found
	limit := leastWait
	for _, t := range r.Thresholds {
		if t.Name == "latency" {
			limit = t.Value
		}
	}
	seen := map[Place]bool{}
	for _, w := range v.allWaits() {
		if w.share < limit || w.measure == Tail && w.share < leastTail {
			continue
		}
		title := say(w)
		if title == "" {
			continue
		}
		p := w.place(behind)
		if p.Function == "" || seen[p] {
			continue
		}
		seen[p] = true
		all = append(all, &found{Finding: Finding{
			Title: title, Place: p, Via: short(w.own.Library), Measure: w.measure, Cost: w.share, Gain: w.share,
			Evidence: w.evidence(), Mechanical: !behind,
		}, behind: w.behind})
	}
	return all
}

// addWaits adds to a finding of CPU time what typical requests wait for in the functions that it leads to. It speaks of latency if that
// is more.
func (v *View) addWaits(f *found) {
	share := 0.0
	for _, w := range v.allWaits() {
		if w.measure == Latency && (w.own.State == walltime.Network || w.own.State == walltime.Channel) && v.leadsTo(f, w.own.Function) {
			share += w.share
		}
	}
	if share < leastWait || share <= f.Gain {
		return
	}
	f.Evidence = append(f.Evidence, Evidence{Source: "wait", Text: fmt.Sprintf("%s of a request's time, in which it waits for the answers", percent(share))})
	f.Measure, f.Cost, f.Gain = Latency, share, share
}

// leadsTo says whether a function of the user's is on the stacks that a finding explains.
func (v *View) leadsTo(f *found, function string) bool {
	return function != "" && slices.ContainsFunc(f.stacks, func(i int) bool {
		return v.stacks[i].find(func(one *frame) bool { return one.function == function }) >= 0
	})
}

func (w *wait) evidence() []Evidence {
	of := "the latency of a typical request"
	if w.measure == Tail {
		of = "what a slow request takes longer than a typical one"
	}
	rows := []Evidence{{Source: "wait", Text: fmt.Sprintf("%s of %s: %s, %s", percent(w.share), of, units.Nanos(w.nanos), callText(w.own))}}
	if w.behind != nil {
		rows = append(rows, Evidence{Source: "wait", Text: "meanwhile another goroutine: " + callText(*w.behind)})
	}
	return rows
}

// callText is a state with the library's function and the user's line.
func callText(c walltime.Call) string {
	text := string(c.State)
	if c.Library != "" {
		text += " " + short(c.Library)
	}
	if c.Function != "" {
		text += " " + Place{Function: c.Function, File: c.File, Line: int64(c.Line)}.String()
	}
	return text
}

// allWaits are the parts of the typical request, the largest first, and then the causes of the slow ones.
func (v *View) allWaits() []wait {
	if v.Waits == nil {
		return nil
	}
	var all []wait
	if c := v.Waits.Cohort(walltime.TypicalName); c != nil && c.LatencyNanos > 0 {
		for _, p := range c.Parts {
			all = append(all, wait{measure: Latency, own: p.Call, behind: p.Behind, share: p.Nanos / c.LatencyNanos, nanos: p.Nanos})
		}
	}
	slow := v.Waits.Cohort(walltime.SlowName)
	for _, c := range v.Waits.Causes {
		if slow == nil || slow.LatencyNanos <= 0 {
			break
		}
		// The gain is of the tail itself, not of what it is longer by.
		all = append(all, wait{measure: Tail, own: c.Call, behind: c.Behind, share: min(c.Share, c.Nanos/slow.LatencyNanos), nanos: c.Nanos})
	}
	return all
}

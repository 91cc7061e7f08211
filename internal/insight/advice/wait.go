package advice

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/walltime"
)

// wait is a part of the wall time of requests, as the execution trace shows it.
type wait struct {
	latencyOf
	own    walltime.Call  // what the request did
	behind *walltime.Call // what another goroutine did meanwhile; nil if none was followed
	share  float64        // of the measure, 0 to 1
	nanos  float64        // per request; of slow ones, more than of typical ones
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

// fewestTraced is how many requests the mean of a cohort needs: with three of a program that pauses now and then, one
// pause is a third of it.
const fewestTraced = 10

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
		rows := w.evidence()
		if v.Numbers.Disturbed {
			rows = append(rows, Evidence{Source: "note",
				Text: "the machine was busy with other programs, which makes waits longer: " +
					"measure again when it is quiet"})
		}
		all = append(all, &found{Finding: Finding{
			Title: title, Place: p, Via: short(w.own.Library),
			Measure: w.measure, Of: w.requests(), Whole: w.whole, Cost: w.share, Gain: w.share,
			Evidence: rows, Mechanical: !behind,
		}, behind: w.behind, about: []string{w.own.Outer}})
	}
	return all
}

// ofTheirTime is the share of the requests that wait: of slow ones, what they wait longer than typical ones.
func (w *wait) ofTheirTime() string {
	if w.measure == Tail {
		return percent(w.share) + " of their time more than typical ones"
	}
	return percent(w.share) + " of their time"
}

// addWaits adds to a finding of CPU time what typical requests wait for in the functions that it leads to. It speaks of
// latency if that is more.
func (v *View) addWaits(f *found) {
	shares, most := map[latencyOf]float64{}, latencyOf{}
	for _, w := range v.allWaits() {
		if w.measure == Latency && (w.own.State == walltime.Network || w.own.State == walltime.Channel) &&
			v.leadsTo(f, w.own.Function) {
			shares[w.latencyOf] += w.share
			if shares[w.latencyOf] > shares[most] {
				most = w.latencyOf
			}
		}
	}
	share := shares[most]
	if share < leastWait || share <= f.Gain {
		return
	}
	f.Evidence = append(f.Evidence, Evidence{
		Source: "wait", Text: fmt.Sprintf("%s of %s, in which it waits for the answers", percent(share), most.text()),
	})
	f.Measure, f.Of, f.Whole, f.Cost, f.Gain = Latency, most.requests(), most.whole, share, share
}

// leadsTo says whether a function of the user's is on the stacks that a finding explains.
func (v *View) leadsTo(f *found, function string) bool {
	return function != "" && slices.ContainsFunc(f.stacks, func(i int) bool {
		return v.stacks[i].find(func(one *frame) bool { return one.function == function }) >= 0
	})
}

func (w *wait) evidence() []Evidence {
	rows := []Evidence{{Source: "wait", Text: w.amount(w.nanos) + ": " + callText(w.own)}}
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

// allWaits are the parts of the typical request, the largest first, and then the causes of the slow ones; of each
// endpoint.
func (v *View) allWaits() (all []wait) {
	for _, e := range v.endpoints() {
		if e.Typical.Requests < fewestTraced {
			continue
		}
		o := e.typical()
		for _, p := range e.Typical.Parts {
			all = append(all, wait{latencyOf: o, own: p.Call, behind: p.Behind, share: p.Nanos / o.whole,
				nanos: p.Nanos})
		}
		o = e.slow()
		for _, c := range e.Causes {
			if o.whole > 0 && e.Slow.Requests >= fewestTraced {
				// The gain is of the tail itself, not of what it is longer by.
				share := min(1, c.Nanos/o.whole)
				all = append(all, wait{latencyOf: o, own: c.Call, behind: c.Behind, share: share, nanos: c.Nanos})
			}
		}
	}
	return all
}

package advice

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// waits makes findings of the waits that say names: of the typical request, and of what makes slow ones slow. say is
// the title; empty for a wait that is not the rule's.
func (v *search) waits(r *Rule, say func(facts.Wait) string) []*found {
	return v.waitsAt(r, false, say)
}

// waitsAt is waits; behind puts a finding at the line of the goroutine that is waited for, where that is known.
func (v *search) waitsAt(r *Rule, behind bool, say func(facts.Wait) string) []*found {
	var all []*found
	limit := leastWait
	for _, t := range r.Thresholds {
		if t.Name == "latency" {
			limit = t.Value
		}
	}
	seen := map[code.Place]bool{}
	for _, w := range v.EachWait() {
		if w.Share < limit || w.Slow && w.Share < leastTail {
			continue
		}
		title := say(w)
		if title == "" {
			continue
		}
		p := w.Place(behind)
		if p.Function == "" || seen[p] {
			continue
		}
		seen[p] = true
		rows := waitEvidence(w)
		if v.Numbers.Disturbed {
			rows = append(rows, Evidence{Source: "note",
				Text: "the machine was busy with other programs, which makes waits longer: " +
					"measure again when it is quiet"})
		}
		traced := w.Traced
		if text := v.slowedByTrace(w); text != "" {
			rows, traced = append(rows, Evidence{Source: "note", Text: text}), 0
		}
		all = append(all, &found{Finding: Finding{
			Title: title, Place: p, Via: facts.Short(w.Own.Library),
			Costs:    Costs{Measure: measureOf(w.Latency), Of: w.Requests(), Whole: w.Whole, Cost: w.Share, Gain: w.Share},
			Evidence: rows, Mechanical: !behind,
		}, behind: w.Behind, about: []string{w.Own.Outer}, traced: traced})
	}
	return all
}

// slowedBy is how many times as long slow requests have to take in the trace as in the run for the trace to be another
// case than the run.
const slowedBy = 2

// slowedByTrace says that requests took far longer in the trace than in the run; empty if they did not.
func (v *search) slowedByTrace(w facts.Wait) string {
	whole, of := float64(v.Numbers.LatencyP50), "p50"
	if w.Slow {
		whole, of = float64(v.Numbers.LatencyP99), "p99"
	}
	if whole <= 0 || w.Whole < slowedBy*whole || w.Requests() != "" {
		return ""
	}
	return fmt.Sprintf("such requests take %s in the trace, and %s of the run is %s: what the trace disturbs is in it",
		units.Nanos(w.Whole), of, units.Nanos(whole))
}

// leastWait is the part of a latency from which on a wait is a finding. The parts of a typical request come from a few
// hundred requests; under a tenth they move by more than that from run to run.
const leastWait = 0.10

// leastTail is the same of the slow requests: those of a trace are some twenty.
const leastTail = 0.20

// ofTheirTime is the share of the requests that wait: of slow ones, what they wait longer than typical ones.
func ofTheirTime(w facts.Wait) string {
	if w.Slow {
		return units.Share(w.Share) + " of their time more than typical ones"
	}
	return units.Share(w.Share) + " of their time"
}

// addWaits adds to a finding of CPU time what typical requests wait for in the functions that it leads to. It speaks of
// latency if that is more.
func (v *search) addWaits(f *found) {
	shares, most := map[facts.Latency]float64{}, facts.Latency{}
	for _, w := range v.EachWait() {
		if !w.Slow && (w.Own.State == walltime.Network || w.Own.State == walltime.Channel) &&
			v.leadsTo(f, w.Own.Function) {
			shares[w.Latency] += w.Share
			if shares[w.Latency] > shares[most] {
				most = w.Latency
			}
		}
	}
	share := shares[most]
	if share < leastWait || share <= f.Gain {
		return
	}
	f.Evidence = append(f.Evidence, Evidence{
		Source: "wait", Text: fmt.Sprintf("%s of %s, in which it waits for the answers", units.Share(share), most.Text()),
	})
	f.Measure, f.Of, f.Whole, f.Cost, f.Gain = Latency, most.Requests(), most.Whole, share, share
}

// leadsTo says whether a function of the user's is on the stacks that a finding explains.
func (v *search) leadsTo(f *found, function string) bool {
	return function != "" && slices.ContainsFunc(f.stacks, func(i int) bool {
		return v.Stacks[i].Find(func(one *facts.Frame) bool { return one.Function == function }) >= 0
	})
}

func waitEvidence(w facts.Wait) []Evidence {
	rows := []Evidence{{Source: "wait", Text: w.Amount(w.Nanos) + ": " + callText(w.Own)}}
	if w.Holder != nil {
		rows = append(rows, Evidence{Source: "wait", Text: "its holder waits itself: " + callText(*w.Holder)})
	}
	if w.Behind != nil {
		rows = append(rows, Evidence{Source: "wait", Text: "meanwhile another goroutine: " + callText(*w.Behind)})
	}
	return rows
}

// callText is a state with the library's function and the user's line.
func callText(c walltime.Call) string {
	text := string(c.State)
	if c.Library != "" {
		text += " " + facts.Short(c.Library)
	}
	if c.Function != "" {
		text += " " + code.Place{Function: c.Function, File: c.File, Line: int64(c.Line)}.String()
	}
	return text
}

// measureOf is the measure that a latency is.
func measureOf(l facts.Latency) Measure {
	if l.Slow {
		return Tail
	}
	return Latency
}

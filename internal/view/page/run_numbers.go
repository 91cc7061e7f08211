package page

import (
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

// ownStretches says why the sums of profiles and traces are not those of the load.
const ownStretches = "CPU time and latencies are of the load. Profiles and traces show other parts of the run: they " +
	"say where time goes, and their sums differ from these."

// show fills in what the report of a run says in words and numbers. hot are the most expensive sites of its CPU
// profile, found its findings, or nil.
func (r *Run) show(m model.Run, hot []prof.Cost, found *advice.Findings) {
	r.Under = append(r.Under, m.Under...)
	r.Check = m.Check
	r.Check.Notes = append(m.Assumed, m.Check.Notes...)
	r.Numbers = append(append(r.Numbers, m.Numbers...), m.Besides...)
	if len(r.Profiles) > 0 && len(m.Main) > 0 && len(r.Numbers) > 0 { // of a run under load
		r.NumbersNote = ownStretches
	}
	r.Errors, r.Hot = m.Errors, model.HotRows(hot, found)
}

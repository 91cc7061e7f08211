package page

import (
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

// show fills in what the report of a run says in words and numbers. hot are the most expensive sites of its CPU profile.
func (r *Run) show(m model.Run, hot []prof.Cost) {
	r.Under = append(r.Under, m.Under...)
	r.Check = m.Check
	r.Check.Notes = append(m.Assumed, m.Check.Notes...)
	r.Numbers = append(append(r.Numbers, m.Numbers...), m.Besides...)
	r.Errors, r.Hot = m.Errors, model.HotRows(hot)
}

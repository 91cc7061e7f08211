package page

import "github.com/gohone/hone/internal/view/model"

// show fills in what the report of a run says in words and numbers.
func (r *Run) show(m model.Run) {
	r.Under = append(r.Under, m.Under...)
	r.Check = m.Check
	r.Check.Notes = append(m.Assumed, m.Check.Notes...)
	r.Numbers = append(append(r.Numbers, m.Numbers...), m.Besides...)
	r.Errors, r.Hot = m.Errors, m.Hot
}

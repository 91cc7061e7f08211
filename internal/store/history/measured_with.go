package history

import (
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

// changesTogether fills in Entry.Change: of a variant of a comparison the change from variant A, with which it was
// measured. Runs that were measured at different times have none: what the machine did in between is in their
// difference.
func (h *History) changesTogether(r Reader) error {
	first := map[string]*ledger.Point{} // of a comparison; nil where it does not count
	for i := range h.Series {
		for j := range h.Series[i].Entries {
			e := &h.Series[i].Entries[j]
			if !e.Counts || e.Comparison == "" || e.Variant == variantA {
				continue
			}
			a, known := first[e.Comparison]
			if !known {
				points, err := r.Points(h.Measure.Key, ledger.RunFilter{Comparison: e.Comparison})
				if err != nil && fail.KindOf(err) != fail.BadInput { // neither has the function that is asked for
					return err
				}
				a = countingFirst(points)
				first[e.Comparison] = a
			}
			if a != nil && a.Measure.Value > h.Measure.Floor { // a change from nothing has no ratio
				e.Change, e.ChangeFrom = changeTo(h.Measure, a.Measure.Value, e.Measure.Value), a.Run.ID
			}
		}
	}
	return nil
}

// variantA is the variant that all others of a comparison are measured against.
const variantA = "A"

// countingFirst is A among the runs of a comparison, if it is complete and has the measure; else nil.
func countingFirst(points []ledger.Point) *ledger.Point {
	for i := range points {
		if p := &points[i]; p.Run.Variant == variantA && p.Run.Status == ledger.Complete && p.Measure != nil {
			return p
		}
	}
	return nil
}

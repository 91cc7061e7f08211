package conclusion

import (
	"math"
	"slices"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// leastAllocs is the part of a change of allocations below which a place does not explain it.
const leastAllocs = 0.1

// WhyAllocs finds the places that allocate more or less in B, by the allocation profiles of both sides, where a verdict
// says that the allocations differ; nil without profiles. whole are the allocations of an operation.
func WhyAllocs(a, b []prof.Capture, whole diff.Whole, v judge.Verdict, code prof.Code) (*diff.Explanation, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, nil
	}
	e, err := diff.Why(a, b, whole, v.Ratio < 1, diff.WhyOptions{Code: code, SampleType: "alloc_objects", BySite: true})
	if err != nil {
		return nil, err
	}
	least := max(v.Measure.Floor, leastAllocs*math.Abs(whole.B-whole.A))
	// What libraries and the runtime allocate for themselves says nothing where lines of the user's allocate.
	some := slices.ContainsFunc(e.Changes, func(c diff.Change) bool { return !c.Outside })
	e.Changes = slices.DeleteFunc(e.Changes, func(c diff.Change) bool {
		return math.Abs(c.Delta) < least || some && c.Outside
	})
	return e, nil
}

// Objects are the allocations for each operation by exact profiles, 0 if there are none.
func Objects(captures []prof.Capture) float64 {
	all, err := prof.MergeCaptures(captures)
	if err != nil {
		return 0
	}
	total, err := all.Total(prof.CostOptions{SampleType: "alloc_objects"})
	if err != nil {
		return 0
	}
	return total.PerRequest
}

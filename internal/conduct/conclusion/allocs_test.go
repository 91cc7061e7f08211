package conclusion

import (
	"math"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// What allocated nothing before has no samples but those of the start: the line that allocates now is named.
func TestAllocationsFromNone(t *testing.T) {
	build := func() *proftest.Builder {
		return proftest.Build("alloc_objects/count", "alloc_space/bytes").
			Sample("runtime.mallocgc < main.start@/s/start.go:3 < main.main@/s/main.go:1", 3, 1<<20)
	}
	captures := func(p *proftest.Builder) (all []prof.Capture) {
		for range 3 {
			all = append(all, prof.Capture{Kind: "allocs", Profile: p.P, Operations: 1000})
		}
		return all
	}
	b := build().Sample("runtime.mallocgc < main.total@/s/total.go:7 < main.main@/s/main.go:1", 1_000_000, 16<<20)
	v := judge.Verdict{Measure: measure.OperationAllocs, A: 0, B: 1000, Ratio: math.Inf(1)}
	e, err := WhyAllocs(captures(build()), captures(b), diff.Whole{A: 0, B: 1000}, v, prof.Code{MainPackage: "main"})
	if err != nil || len(e.Claims()) != 1 || e.Changes[0].Function != "main.total" || e.Changes[0].Line != 7 {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := WhyAllocs(nil, captures(b), diff.Whole{A: 0, B: 1000}, v, prof.Code{}); e != nil || err != nil {
		t.Errorf("without profiles %+v, %v", e, err)
	}
}

package continuous

import (
	"cmp"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// partOf is a profile of a type of the store; nil is a profile without samples. Types that the profile itself lacks are
// those of the store.
func partOf(t Type, p *profile.Profile) prof.Part {
	w := t.words()
	if p == nil {
		p = &profile.Profile{}
	}
	if len(p.SampleType) != 1 {
		p.SampleType = []*profile.ValueType{{Type: w[1], Unit: w[2]}}
	}
	p.PeriodType = cmp.Or(p.PeriodType, &profile.ValueType{})
	p.PeriodType.Type, p.PeriodType.Unit = cmp.Or(p.PeriodType.Type, w[3]), cmp.Or(p.PeriodType.Unit, w[4])
	return prof.Part{Name: w[0], Profile: p}
}

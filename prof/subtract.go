package prof

import (
	"errors"
	"fmt"

	"github.com/google/pprof/profile"
)

// Subtract returns what a capture costs more than a base, as go tool pprof -base does; both stay as they are. Where the
// operations of both are known, what accumulates in the base is multiplied by factor first, so that both are for as
// many; factor is 0 where they are not.
func Subtract(c, base Capture) (diff *profile.Profile, factor float64, err error) {
	if c.Profile == nil || base.Profile == nil {
		return nil, 0, errors.New("subtract profiles: one is missing")
	}
	p, was := c.Profile.Copy(), base.Profile.Copy()
	// Of the types that only one has nothing is left, and of none there would be no sample.
	if err := profile.CompatibilizeSampleTypes([]*profile.Profile{p, was}); err != nil {
		return nil, 0, fmt.Errorf("subtract profiles: no sample type is in both: the profile has %s; the base has %s",
			typeList(c.Profile), typeList(base.Profile))
	}
	ratios := make([]float64, len(was.SampleType))
	for i, t := range was.SampleType {
		if unit := p.SampleType[i].Unit; unit != t.Unit {
			return nil, 0, fmt.Errorf("subtract profiles: %s has two units: the profile has %s; the base has %s",
				t.Type, typeList(c.Profile), typeList(base.Profile))
		}
		ratios[i] = -1
		if c.Operations > 0 && base.Operations > 0 && Accumulates(c.Kind, t.Type) {
			factor = float64(c.Operations) / float64(base.Operations)
			ratios[i] = -factor
		}
	}
	if err := was.ScaleN(ratios); err != nil {
		return nil, 0, fmt.Errorf("subtract profiles: base: %w", err)
	}
	was.PeriodType, was.Period = p.PeriodType, p.Period // of no meaning in a difference
	if diff, err = profile.Merge([]*profile.Profile{p, was}); err != nil {
		return nil, 0, fmt.Errorf("subtract profiles: %w", err)
	}
	return diff, factor, nil
}

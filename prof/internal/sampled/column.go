package sampled

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"
)

// Check refuses what would panic later.
func Check(p *profile.Profile) error {
	if p == nil {
		return errors.New("no profile")
	}
	return p.CheckValid()
}

// Column returns the index of a sample type in a profile.
func Column(p *profile.Profile, name string) (int, error) {
	i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
	if i < 0 {
		return 0, fmt.Errorf("the profile has no sample type %q", name)
	}
	return i, nil
}

// CountColumn returns the first column that is a count: samples or contentions; negative if there is none.
func CountColumn(p *profile.Profile) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Unit == "count" })
}

// Sum adds up a column over all samples.
func Sum(p *profile.Profile, column int) (sum int64) {
	for _, s := range p.Sample {
		sum += s.Value[column]
	}
	return sum
}

// Shallow is a profile with lists of its own of the same samples, locations and functions.
func Shallow(p *profile.Profile) *profile.Profile {
	return &profile.Profile{
		SampleType: p.SampleType, DefaultSampleType: p.DefaultSampleType, PeriodType: p.PeriodType, Period: p.Period,
		TimeNanos: p.TimeNanos, DurationNanos: p.DurationNanos, Comments: p.Comments, Mapping: p.Mapping,
		Sample: slices.Clone(p.Sample), Location: slices.Clone(p.Location), Function: slices.Clone(p.Function),
	}
}

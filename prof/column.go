package prof

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"
)

// check refuses what would panic later.
func check(p *profile.Profile) error {
	if p == nil {
		return errors.New("no profile")
	}
	return p.CheckValid()
}

// columnOf returns the index of a sample type in a profile.
func columnOf(p *profile.Profile, name string) (int, error) {
	i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
	if i < 0 {
		return 0, fmt.Errorf("the profile has no sample type %q", name)
	}
	return i, nil
}

// countColumn returns the first column that is a count: samples or contentions; negative if there is none.
func countColumn(p *profile.Profile) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Unit == "count" })
}

// sumOf adds up a column over all samples.
func sumOf(p *profile.Profile, column int) (sum int64) {
	for _, s := range p.Sample {
		sum += s.Value[column]
	}
	return sum
}

// shallow is a profile with lists of its own of the same samples, locations and functions.
func shallow(p *profile.Profile) *profile.Profile {
	return &profile.Profile{
		SampleType: p.SampleType, DefaultSampleType: p.DefaultSampleType, PeriodType: p.PeriodType, Period: p.Period,
		TimeNanos: p.TimeNanos, DurationNanos: p.DurationNanos, Comments: p.Comments, Mapping: p.Mapping,
		Sample: slices.Clone(p.Sample), Location: slices.Clone(p.Location), Function: slices.Clone(p.Function),
	}
}

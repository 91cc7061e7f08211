package prof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// Part is a profile of one sample type, as OTLP and the stores of continuous profilers have them.
type Part struct {
	// Name is what the store calls the profile, such as process_cpu, memory or mutex; "" where it has no name.
	Name string
	// Profile has one value in each sample.
	Profile *profile.Profile
}

// String names the part in messages.
func (p Part) String() string {
	return strings.TrimPrefix(p.Name+" ", " ") + typeList(p.Profile)
}

// Kind is the name of the Kind that a part belongs to; "" if a Go program has no such profile. Mutex and block profiles
// have the same sample types, so the name tells them apart, and without one it is taken for mutex.
func (p Part) Kind() string {
	if len(p.Profile.SampleType) != 1 {
		return ""
	}
	t := p.Profile.SampleType[0]
	switch t.Type {
	case "cpu", "samples":
		if period := p.Profile.PeriodType; strings.HasSuffix(p.Name, "cpu") || period != nil && period.Type == "cpu" ||
			t.Unit == "nanoseconds" {
			return "cpu"
		}
		return ""
	case "alloc_objects", "alloc_space":
		return "allocs"
	case "inuse_objects", "inuse_space":
		return "heap"
	case "contentions", "delay":
		if p.Name == "block" {
			return "block"
		}
		return "mutex"
	case "goroutine":
		return "goroutine"
	}
	return ""
}

// Assemble puts parts together to profiles as a Go program has them: one capture of each kind, with all its sample
// types. Those that no part has are zero, but for CPU profiles, of which the period says them. Labels are kept. Each
// capture covers d. left are the parts that belong to no kind.
func Assemble(parts []Part, d time.Duration) (captures []Capture, left []Part, err error) {
	of := map[string][]Part{}
	for _, p := range parts {
		if err := sampled.Check(p.Profile); err != nil {
			return nil, nil, fmt.Errorf("assemble %s: %w", p.Name, err)
		}
		kind := p.Kind()
		if kind == "" {
			left = append(left, p)
			continue
		}
		of[kind] = append(of[kind], p)
	}
	for _, k := range Kinds {
		some := of[k.Name]
		if len(some) == 0 {
			continue
		}
		whole, rest := k.whole(some)
		if left = append(left, rest...); len(whole) == 0 {
			continue
		}
		merged, err := profile.Merge(whole)
		if err != nil {
			return nil, nil, fmt.Errorf("assemble %s: %w", k.Name, err)
		}
		merged.DurationNanos = d.Nanoseconds()
		captures = append(captures, Capture{Kind: k.Name, Profile: merged, Duration: d})
	}
	return captures, left, nil
}

// whole makes profiles with all sample types of the kind, which can be added up, of its parts. rest are parts that lack
// what it takes.
func (k *Kind) whole(parts []Part) (whole []*profile.Profile, rest []Part) {
	alone := !slices.ContainsFunc(parts, func(p Part) bool {
		return p.Profile.SampleType[0].Type != parts[0].Profile.SampleType[0].Type
	})
	for _, part := range parts {
		p, ok := k.widen(part.Profile)
		if k.Name == "cpu" && alone {
			var as Capture
			as, ok = AsCPU(Capture{Profile: part.Profile})
			p = as.Profile
		}
		if !ok {
			rest = append(rest, part)
			continue
		}
		if len(whole) > 0 { // profiles of different period types cannot be merged
			p.PeriodType = whole[0].PeriodType
		}
		whole = append(whole, p)
	}
	return whole, rest
}

// widen is a profile of one sample type with all those of the kind, of which the others are zero.
func (k *Kind) widen(p *profile.Profile) (wide *profile.Profile, ok bool) {
	t := p.SampleType[0]
	at := slices.IndexFunc(k.SampleTypes, func(s SampleType) bool { return s.Name == t.Type && s.Unit == t.Unit })
	if at < 0 {
		return p, false
	}
	wide = p.Copy()
	wide.SampleType, wide.DefaultSampleType = nil, k.Default
	for _, s := range k.SampleTypes {
		wide.SampleType = append(wide.SampleType, &profile.ValueType{Type: s.Name, Unit: s.Unit})
	}
	wide.PeriodType = cmp.Or(wide.PeriodType, &profile.ValueType{})
	for _, s := range wide.Sample {
		v := make([]int64, len(k.SampleTypes))
		v[at] = s.Value[0]
		s.Value = v
	}
	return wide, true
}

// Label adds a label to all samples of a profile that do not have it.
func Label(p *profile.Profile, name, value string) {
	for _, s := range p.Sample {
		if _, known := s.Label[name]; known {
			continue
		}
		if s.Label == nil {
			s.Label = map[string][]string{}
		}
		s.Label[name] = []string{value}
	}
}

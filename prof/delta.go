package prof

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"
)

// Delta returns what happened between two profiles of one process that count since
// its start: allocs, heap, mutex, block. Values that accumulate are after - before
// per stack; those that are a state, inuse_objects and inuse_space, are taken from
// after, because their difference would be neither.
//
// Stacks match by function, file, line and labels, so that neither the numbering of
// the profiles nor where the binary was mapped matters; frames without symbols match
// by their offset in the mapped file. (profile.Merge with Scale(-1) matches by
// mapping as well, differences inuse_* too, and keeps negative values.)
//
// A cumulative value cannot fall. One that does is clipped at 0 and counted in
// clipped: many of them mean that the profiles do not belong together. Delta errs
// on unlike sample types, on kinds that do not count since the start, on two
// different binaries, and when after is the older one.
func Delta(before, after *profile.Profile) (delta *profile.Profile, clipped int, err error) {
	types, err := checkPair(before, after)
	if err != nil {
		return nil, 0, fmt.Errorf("difference profiles: %w", err)
	}
	samples, index := sumByStack(after)
	starts, startIndex := sumByStack(before)
	for key, i := range startIndex {
		start, end := starts[i].Value, make([]int64, len(types))
		if j, ok := index[key]; ok {
			end = samples[j].Value
		}
		for c := range start {
			if !types[c].Accumulates {
				continue
			}
			if end[c] -= start[c]; end[c] < 0 {
				end[c] = 0
				clipped++
			}
		}
	}
	return assemble(before, after, samples), clipped, nil
}

// checkPair returns the sample types of both profiles, if these can be differenced.
func checkPair(before, after *profile.Profile) ([]SampleType, error) {
	if before == nil || after == nil {
		return nil, errors.New("no profile")
	}
	if err := errors.Join(before.CheckValid(), after.CheckValid()); err != nil {
		return nil, err
	}
	sameType := func(x, y *profile.ValueType) bool { return x.Type == y.Type && x.Unit == y.Unit }
	if !slices.EqualFunc(before.SampleType, after.SampleType, sameType) {
		return nil, fmt.Errorf("sample types %v and %v", typeNames(before), typeNames(after))
	}
	if b, a := mainBuildID(before), mainBuildID(after); b != "" && a != "" && b != a {
		return nil, fmt.Errorf("two binaries, build ids %s and %s", b, a)
	}
	if before.TimeNanos > after.TimeNanos && after.TimeNanos != 0 {
		return nil, errors.New("the second profile is older than the first")
	}
	for _, k := range Kinds {
		if k.SinceStart && k.sampled(after) {
			return k.SampleTypes, nil
		}
	}
	return nil, fmt.Errorf("%v do not count since the start of the process", typeNames(after))
}

func typeNames(p *profile.Profile) []string {
	names := make([]string, len(p.SampleType))
	for i, t := range p.SampleType {
		names[i] = t.Type
	}
	return names
}

// mainBuildID is the build id of the first mapping, which is the main binary.
func mainBuildID(p *profile.Profile) string {
	if len(p.Mapping) == 0 {
		return ""
	}
	return p.Mapping[0].BuildID
}

// assemble makes a profile of its own from samples of after.
func assemble(before, after *profile.Profile, samples []*profile.Sample) *profile.Profile {
	p := &profile.Profile{
		SampleType: after.SampleType, DefaultSampleType: after.DefaultSampleType,
		Sample: samples, Mapping: after.Mapping, Location: after.Location, Function: after.Function,
		DropFrames: after.DropFrames, KeepFrames: after.KeepFrames,
		PeriodType: after.PeriodType, Period: after.Period,
		Comments: after.Comments, DocURL: after.DocURL,
		TimeNanos: after.TimeNanos,
	}
	if before.TimeNanos != 0 {
		p.TimeNanos = before.TimeNanos
		p.DurationNanos = max(0, after.TimeNanos-before.TimeNanos)
	}
	return p.Compact() // a deep copy, without samples of zeros
}

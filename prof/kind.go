package prof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/pprof/profile"
)

// SampleType is one of the values that each sample of a profile carries.
type SampleType struct {
	// Name and Unit are as in the profile: alloc_space, bytes.
	Name, Unit string

	// Accumulates is true for what adds up while the program runs and so can be
	// divided by the requests served; false for a state at one moment.
	Accumulates bool
}

// Kind is a kind of profile that Go programs offer, or that hone makes of their traces and heap dumps.
type Kind struct {
	// Name is the name under /debug/pprof/, but for "cpu", which is there called
	// profile, and for WaitKind, FgprofKind and HoldersKind, which are not there.
	Name string
	// SampleTypes are in the order of the profile.
	SampleTypes []SampleType
	// Default is the name of the sample type shown when the user names none.
	Default string
	// SinceStart is true where values count from the start of the process, so that
	// a stretch of it is the Delta of two profiles.
	SinceStart bool
}

var heapSampleTypes = []SampleType{
	{Name: "alloc_objects", Unit: "count", Accumulates: true},
	{Name: "alloc_space", Unit: "bytes", Accumulates: true},
	{Name: "inuse_objects", Unit: "count"},
	{Name: "inuse_space", Unit: "bytes"},
}

// HoldersKind is the kind of the profiles that package holders makes of a heap dump: who holds the memory.
const HoldersKind = "holders"

// FgprofKind is the kind of the profiles of github.com/felixge/fgprof, which programs serve below /debug/fgprof.
const FgprofKind = "fgprof"

var waitSampleTypes = []SampleType{
	{Name: "contentions", Unit: "count", Accumulates: true},
	{Name: "delay", Unit: "nanoseconds", Accumulates: true},
}

// KindNames are the names of all kinds, in the order in which they are shown.
func KindNames() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// Kinds are all kinds, in the order in which they are shown.
var Kinds = []*Kind{
	{
		Name: "cpu", Default: "cpu",
		SampleTypes: []SampleType{
			{Name: "samples", Unit: "count", Accumulates: true},
			{Name: "cpu", Unit: "nanoseconds", Accumulates: true},
		},
	},
	{Name: WaitKind, Default: "wall", SampleTypes: WallSampleTypes},
	{Name: "allocs", Default: "alloc_space", SampleTypes: heapSampleTypes, SinceStart: true},
	{Name: "heap", Default: "inuse_space", SampleTypes: heapSampleTypes, SinceStart: true},
	{Name: "mutex", Default: "delay", SampleTypes: waitSampleTypes, SinceStart: true},
	{Name: "block", Default: "delay", SampleTypes: waitSampleTypes, SinceStart: true},
	{
		Name: "goroutine", Default: "goroutine",
		SampleTypes: []SampleType{{Name: "goroutine", Unit: "count"}},
	},
	{
		Name: "threadcreate", Default: "threadcreate",
		SampleTypes: []SampleType{{Name: "threadcreate", Unit: "count"}},
	},
	{
		// Goroutines that nothing can wake any more; of toolchains that have it (Go 1.27, and
		// Go 1.26 with GOEXPERIMENT=goroutineleakprofile).
		Name: "goroutineleak", Default: "goroutineleak",
		SampleTypes: []SampleType{{Name: "goroutineleak", Unit: "count"}},
	},
	{
		// Of fgprof: samples of all goroutines, so that what waits counts, too.
		Name: FgprofKind, Default: wallColumn,
		SampleTypes: []SampleType{{Name: "samples", Unit: "count", Accumulates: true},
			{Name: wallColumn, Unit: "nanoseconds", Accumulates: true}},
	},
	{
		Name: HoldersKind, Default: "held_space",
		SampleTypes: []SampleType{{Name: "held_objects", Unit: "count"}, {Name: "held_space", Unit: "bytes"}},
	},
}

// KindNamed returns the kind of that name.
func KindNamed(name string) (*Kind, error) {
	for _, k := range Kinds {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("unknown kind of profile %q", name)
}

// sampled says whether a profile has the kind's sample types, in its units.
func (k *Kind) sampled(p *profile.Profile) bool {
	return slices.EqualFunc(k.SampleTypes, p.SampleType,
		func(t SampleType, v *profile.ValueType) bool { return t.Name == v.Type && t.Unit == v.Unit })
}

// SampleType returns the kind's sample type of that name, or its default one for
// the empty name.
func (k *Kind) SampleType(name string) (SampleType, error) {
	name = cmp.Or(name, k.Default)
	for _, t := range k.SampleTypes {
		if t.Name == name {
			return t, nil
		}
	}
	return SampleType{}, fmt.Errorf("a %s profile has no sample type %q", k.Name, name)
}

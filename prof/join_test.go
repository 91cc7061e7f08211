package prof

import (
	"testing"

	"github.com/google/pprof/profile"
)

// onePlace is an allocs profile with one stack.
func onePlace(function string, objects, bytes int64) *profile.Profile {
	f := &profile.Function{ID: 1, Name: function, Filename: "main.go"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 7}}}
	return &profile.Profile{
		SampleType: []*profile.ValueType{
			{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"},
		},
		Sample:   []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{objects, bytes, objects, bytes}}},
		Location: []*profile.Location{l}, Function: []*profile.Function{f}, DurationNanos: 5e9,
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"},
	}
}

// Processes come and go between two captures: one that ended takes nothing from the others,
// one that started counts from its start, and the duration is that of all together.
func TestProfilesOfSeveralProcesses(t *testing.T) {
	before := ByProcess{1: onePlace("main.f", 10, 100), 2: onePlace("main.f", 50, 500)}
	after := ByProcess{1: onePlace("main.f", 13, 130), 3: onePlace("main.f", 4, 40)}
	counted, err := after.Since(before)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := counted.Join()
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.Sample) != 1 || sum.Sample[0].Value[0] != 7 || sum.Sample[0].Value[1] != 70 {
		t.Errorf("sum %v, want 7 objects of 70 bytes at one place", sum.Sample)
	}
	if len(counted.PIDs()) != 2 || !counted.PIDs()[3] {
		t.Errorf("processes %v", counted.PIDs())
	}
	whole, err := after.Join()
	if err != nil || whole.DurationNanos != 5e9 {
		t.Errorf("duration %d, %v; want that of one", whole.DurationNanos, err)
	}
	if _, err := (ByProcess{}).Join(); err == nil {
		t.Error("nothing was joined")
	}
}

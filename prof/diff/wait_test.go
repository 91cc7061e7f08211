package diff

import (
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// waitingRequests is a wait profile of two cohorts: typical requests sleep for 3 ms, slow ones for 9.
func waitingRequests() prof.Capture {
	fn := &profile.Function{ID: 1, Name: "main.handle", Filename: "main.go"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 7}}}
	p := &profile.Profile{Function: []*profile.Function{fn}, Location: []*profile.Location{at}}
	for _, t := range prof.WallSampleTypes {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t.Name, Unit: t.Unit})
	}
	for _, c := range []struct {
		name string
		wall int64
	}{{"typical", 3e6}, {"slow", 9e6}} {
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{at}, Value: []int64{c.wall, 0, 0, 0, c.wall},
			Label: map[string][]string{prof.CohortLabel: {c.name}},
		})
	}
	return prof.Capture{Kind: prof.WaitKind, Profile: p, Operations: 1}
}

// The difference of two wait profiles is one of wall time per request, at the line that waits.
func TestTheDifferenceOfWaitProfiles(t *testing.T) {
	a, err := waitingRequests().Cohort("typical")
	if err != nil {
		t.Fatal(err)
	}
	b, err := waitingRequests().Cohort("slow")
	if err != nil {
		t.Fatal(err)
	}
	d, err := New([]prof.Capture{a}, []prof.Capture{b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.SampleType != "wall" || d.A.Total != 3e6 || d.B.Total != 9e6 || len(d.Places) == 0 || d.Places[0].Line != 7 {
		t.Errorf("%s from %v to %v at %+v; want wall from 3 to 9 ms at main.go:7", d.SampleType, d.A.Total, d.B.Total,
			d.Places)
	}
}

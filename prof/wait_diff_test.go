package prof

import (
	"testing"

	"github.com/google/pprof/profile"
)

// waitingRequests is a wait profile of two cohorts: typical requests sleep for 3 ms, slow ones for 9.
func waitingRequests() Capture {
	fn := &profile.Function{ID: 1, Name: "main.handle", Filename: "main.go"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 7}}}
	p := &profile.Profile{Function: []*profile.Function{fn}, Location: []*profile.Location{at}}
	for _, t := range wallSampleTypes {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t.Name, Unit: t.Unit})
	}
	for _, c := range []struct {
		name string
		wall int64
	}{{"typical", 3e6}, {"slow", 9e6}} {
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{at}, Value: []int64{c.wall, 0, 0, 0, c.wall},
			Label: map[string][]string{cohortLabel: {c.name}},
		})
	}
	return Capture{Kind: WaitKind, Profile: p, Operations: 1}
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
	d, err := NewDiff([]Capture{a}, []Capture{b}, DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d.SampleType != "wall" || d.A.Total != 3e6 || d.B.Total != 9e6 || len(d.Places) == 0 || d.Places[0].Line != 7 {
		t.Errorf("%s from %v to %v at %+v; want wall from 3 to 9 ms at main.go:7", d.SampleType, d.A.Total, d.B.Total,
			d.Places)
	}
}

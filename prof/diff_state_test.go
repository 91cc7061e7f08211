package prof

import "testing"

// What is at one moment, such as the live heap, is compared as it is, and never per request.
func TestDiffOfStates(t *testing.T) {
	heap := Capture{Kind: "heap", Profile: parseFile(t, "after.allocs.pb.gz"), Operations: 10}
	for basis, want := range map[Basis]bool{Raw: true, PerRequest: false} {
		_, err := NewDiff([]Capture{heap}, []Capture{heap}, DiffOptions{SampleType: "inuse_space", Basis: basis})
		if (err == nil) != want {
			t.Errorf("%s: %v", basis, err)
		}
	}
}

package diff

import (
	"testing"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// What is at one moment, such as the live heap, is compared as it is, and never per request.
func TestDiffOfStates(t *testing.T) {
	heap := prof.Capture{Kind: "heap", Profile: capturetest.ParseFile(t, "after.allocs.pb.gz"), Operations: 10}
	for basis, want := range map[prof.Basis]bool{prof.Raw: true, prof.PerRequest: false} {
		_, err := New([]prof.Capture{heap}, []prof.Capture{heap}, Options{SampleType: "inuse_space", Basis: basis})
		if (err == nil) != want {
			t.Errorf("%s: %v", basis, err)
		}
	}
}

package recording

import (
	"bytes"
	"testing"
)

// However a recording is cut into pieces, each slice is heard once, in order, and what is none ends the hearing.
func TestFollow(t *testing.T) {
	raw := []byte(text(t, openRecording(t, 1)))
	whole, err := Read(bytes.NewReader(raw), "example")
	if err != nil || len(whole.Slices) < 2 {
		t.Fatalf("%d slices, %v", len(whole.Slices), err)
	}
	for _, step := range []int{1, 7, 1000, len(raw)} {
		var heard []Slice
		f := Follow(func(s Slice) { heard = append(heard, s) })
		for rest := raw; len(rest) > 0; {
			n := min(step, len(rest))
			if wrote, err := f.Write(rest[:n]); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if len(heard) != len(whole.Slices) {
			t.Fatalf("in steps of %d: %d slices heard of %d", step, len(heard), len(whole.Slices))
		}
		for i, s := range heard {
			if s.Offset != whole.Slices[i].Offset || s.Answered != whole.Slices[i].Answered {
				t.Errorf("in steps of %d: slice %d is %+v", step, i, s.Slice)
			}
		}
	}
	f := Follow(func(Slice) { t.Error("a slice was heard") })
	for _, piece := range []string{"no recording\n", string(raw)} {
		if _, err := f.Write([]byte(piece)); err != nil {
			t.Error(err)
		}
	}
}

package recording

import (
	"bytes"
	"testing"

	"github.com/gohone/hone/internal/store/packed"
)

// However a recording is cut into pieces, each slice is heard once, in order, and what is none ends the hearing.
func TestFollow(t *testing.T) {
	raw := []byte(text(t, openRecording(t, 1)))
	whole, err := Read(bytes.NewReader(raw), "example")
	if err != nil || len(whole.Slices) < 2 {
		t.Fatalf("%d slices, %v", len(whole.Slices), err)
	}
	for _, step := range []int{1, 7, 1000, len(raw)} {
		var heard []packed.Slice
		f := Follow(func(s packed.Slice) { heard = append(heard, s) })
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
	f := Follow(func(packed.Slice) { t.Error("a slice was heard") })
	for _, piece := range []string{"no recording\n", string(raw)} {
		if _, err := f.Write([]byte(piece)); err != nil {
			t.Error(err)
		}
	}
}

// A line without an end takes memory up to the bound of a line. It is searched once: in these small pieces, and
// searched anew with each, the header would take minutes.
func TestALineWithoutAnEnd(t *testing.T) {
	header, _, _ := bytes.Cut([]byte(text(t, openRecording(t, 1))), []byte("\n"))
	for line, begin := range map[string][]byte{"header": nil, "slice": append(header, '\n')} {
		f := Follow(func(packed.Slice) { t.Error("a slice was heard") })
		_, _ = f.Write(begin)
		piece, most := bytes.Repeat([]byte("x"), 1<<10), maxBytes(begin == nil)
		for sent := 0; sent < most; sent += len(piece) {
			if f.broken {
				t.Fatalf("%s: refused after %d bytes", line, sent)
			}
			_, _ = f.Write(piece)
		}
		if _, _ = f.Write(piece); !f.broken || f.rest != nil {
			t.Errorf("%s: %d bytes are kept, refused %v", line, cap(f.rest), f.broken)
		}
	}
}

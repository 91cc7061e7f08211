package diff

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// notItself compares a profile with itself in every way: no change may be seen, and nothing may panic.
func notItself(t *testing.T, p *profile.Profile) {
	t.Helper()
	for _, k := range prof.Kinds {
		c := prof.Capture{Kind: k.Name, Profile: p, Operations: 1}
		same := []prof.Capture{c}
		if e, err := Why(same, same, Whole{A: 1, B: 1}, true, WhyOptions{}); err == nil && len(e.Changes) != 0 {
			t.Errorf("a profile differs from itself: %v", e.Changes)
		}
		if k.Name != prof.KindOf(p) {
			continue
		}
		if d, err := New(same, same, Options{Basis: prof.Raw}); err == nil &&
			(len(d.Changed()) != 0 || d.Explained != 0) {
			t.Errorf("a profile differs from itself: %v", d.Changed())
		}
	}
}

// Real profiles and a thousand mutations of them do not differ from themselves.
func TestProfilesDoNotDifferFromThemselves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"work.cpu.pb.gz", "after.mutex.pb.gz"} {
		var plain bytes.Buffer
		if err := capturetest.ParseFile(t, name).WriteUncompressed(&plain); err != nil {
			t.Fatal(err)
		}
		notItself(t, capturetest.ParseFile(t, name))
		parsed := 0
		for range 500 {
			data := bytes.Clone(plain.Bytes())
			for range 1 + rng.IntN(8) {
				data[rng.IntN(len(data))] = byte(rng.Uint32())
			}
			if p, err := prof.Parse(bytes.NewReader(data), prof.Limits{Uncompressed: 1 << 20, Memory: 16 << 20, Frames: 1 << 20}); err == nil {
				if parsed++; parsed%8 == 0 { // comparing takes longer than parsing
					notItself(t, p)
				}
			}
		}
		if parsed == 0 {
			t.Errorf("%s: no mutation is a profile: they test nothing", name)
		}
	}
}

func FuzzProfilesDoNotDifferFromThemselves(f *testing.F) {
	var plain bytes.Buffer
	if err := capturetest.ParseFile(f, "after.mutex.pb.gz").WriteUncompressed(&plain); err != nil {
		f.Fatal(err)
	}
	f.Add(plain.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := prof.Parse(bytes.NewReader(data), prof.Limits{Uncompressed: 1 << 20, Memory: 16 << 20, Frames: 1 << 20}); err == nil {
			notItself(t, p)
		}
	})
}

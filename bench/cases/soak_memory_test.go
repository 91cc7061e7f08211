package cases

import (
	"strings"
	"testing"
	"time"
)

func TestVerdictOnMemory(t *testing.T) {
	var s series
	for i, rss := range []int64{100, 900, 1000, 1040, 1010} {
		s = append(s, reading{after: time.Duration(i+1) * 30 * time.Second, rss: rss})
	}
	got, err := s.verdict(time.Minute, 140)
	if err != nil || !strings.Contains(got, "after 60 s: 140 kB") || !strings.Contains(got, "at the end +110 kB") {
		t.Errorf("verdict %q, %v; want a growth of 140 kB from 60 s on, 110 kB at the end", got, err)
	}
	if _, err := s.verdict(time.Minute, 0); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	if _, err := s.verdict(time.Minute, 139); err == nil {
		t.Error("a growth of 140 kB is within 139")
	}
	for _, settle := range []time.Duration{150 * time.Second, time.Hour} {
		if got, err := s.verdict(settle, 1); err == nil {
			t.Errorf("verdict %q of a run that did not settle in %v", got, settle)
		}
	}
}

func TestCollections(t *testing.T) {
	if n := collections([]byte("gc 1 @0.1s 0%: ...\nwarning: gc \ngc 2 @0.2s 0%: ...\n")); n != 2 {
		t.Errorf("%d collections, want 2", n)
	}
}

// A load that did not happen proves nothing.
func TestTooFewRequestsAreNoProof(t *testing.T) {
	for answered, few := range map[uint64]bool{0: true, 362_388: true, 611_999: true, 612_000: false, 680_000: false} {
		if err := tooFew(answered, 680_000); (err != nil) != few {
			t.Errorf("%d of 680,000: %v", answered, err)
		}
	}
}

package tune

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/store/tuning"
)

func TestAblationRanksWhatCosts(t *testing.T) {
	a := ablationOf(roundOf(base,
		seen{name: "logging", low: 0.93, high: 0.97},
		seen{name: "metrics", low: 0.90, high: 1.02}, // the interval covers zero
		seen{name: "compression", low: 0.08, high: 0.1, different: true, bytesLow: 0.01, bytesH: 0.012},
		seen{name: "cache", low: 1.5, high: 1.6}, // without it more is spent
		seen{name: "audit"},                      // too few starts
	))
	var names []string
	for _, f := range a.Features {
		names = append(names, f.Name)
	}
	if want := []string{"compression", "logging", "metrics", "audit", "cache"}; !slices.Equal(names, want) {
		t.Errorf("order %q, want %q", names, want)
	}
	first := a.Features[0]
	if !first.Found || first.Different == "" || first.CPU.Value < 90_000 || first.CPU.Low != 0.9 ||
		first.CPU.High != 0.92 || !first.Bytes.Shown {
		t.Errorf("%+v of %+v, %+v", first, first.CPU, first.Bytes)
	}
	for _, f := range a.Features[2:] {
		if f.Found {
			t.Errorf("a cost of %s is found", f.Name)
		}
	}
	if c := a.Features[4]; c.Claim != tuning.More || c.CPU.Share >= 0 {
		t.Errorf("the cache saves time: %+v", c)
	}
}

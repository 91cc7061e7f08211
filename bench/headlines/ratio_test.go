package main

import (
	"math"
	"testing"
)

func TestRatioString(t *testing.T) {
	for want, r := range map[string]ratio{
		"":                          {},
		"1.46":                      {Value: 1.4594},
		"13.2 (12.0 to 14.1)":       {13.24, 12.01, 14.06},
		"0.0768 (0.0701 to 0.0820)": {0.07677, 0.0701, 0.082},
		"0.998 (0.990 to 1.006)":    {0.998, 0.99, 1.0061},
		"1234 (1200 to 1300)":       {1234.4, 1200, 1300},
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v prints as %q, want %q", r, got, want)
		}
	}
}

// Six rounds give an interval, five do not. The ratios are 1.9, 1.95, 2, 2, 2.05, 2.1: all
// six signs agree, so that the interval at 1 - 2/64 runs from the least to the greatest.
func TestPaired(t *testing.T) {
	a := []float64{1, 10, 100, 1000, 1, 2}
	b := []float64{1.9, 19.5, 200, 2000, 2.05, 4.2}
	r, err := paired(a, b)
	if err != nil {
		t.Fatal(err)
	}
	near := func(got, want float64) bool { return math.Abs(got/want-1) < 1e-9 }
	if math.Abs(r.Value-2) > 0.02 || !near(r.Low, 1.9) || !near(r.High, 2.1) {
		t.Errorf("%+v, want 2 (1.9 to 2.1)", r)
	}
	if r, err = paired(a[:5], b[:5]); err != nil || r.bounded() || math.Abs(r.Value-2) > 0.05 {
		t.Errorf("five rounds: %+v, %v", r, err)
	}
	if _, err := paired(a, b[:5]); err == nil {
		t.Error("a round without its other half was paired")
	}
	if _, err := paired([]float64{0}, []float64{1}); err == nil {
		t.Error("a ratio to nothing")
	}
}

func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		published float64
		here      ratio
		want      string
	}{
		{0, ratio{2, 1.9, 2.1}, ""},
		{2, ratio{}, ""},
		{2, ratio{Value: 2}, "too few rounds for an interval"},
		{1.46, ratio{1.5, 1.4, 1.6}, "fits the published ratio"},
		{1, ratio{1.01, 0.99, 1.03}, "fits the published ratio"},
		{1.08, ratio{1.05, 0.97, 1.1}, "**undecided**: no change is in the interval, too"},
		{1.17, ratio{0.9, 0.88, 0.92}, "**the opposite of what was published**"},
		{0.5, ratio{1.2, 1.1, 1.3}, "**the opposite of what was published**"},
		{1.46, ratio{1.01, 0.99, 1.03}, "**no difference shown here**"},
		{1, ratio{1.2, 1.1, 1.3}, "**a difference here, none published**"},
		{1.46, ratio{13, 12, 14}, "the same way, by more"},
		{0.4, ratio{0.1, 0.09, 0.11}, "the same way, by more"},
		{1.46, ratio{1.2, 1.1, 1.3}, "the same way, by less"},
		{0.4, ratio{0.8, 0.7, 0.9}, "the same way, by less"},
	} {
		if got := agreement(c.published, c.here); got != c.want {
			t.Errorf("published %v, here %v: %q, want %q", c.published, c.here, got, c.want)
		}
	}
}

package spec

import "testing"

func TestFractions(t *testing.T) {
	for text, want := range map[string]float64{"0.01": 0.01, "1%": 0.01, "0.5 %": 0.005, "-3%": -0.03, "1e-3": 0.001,
		"0": 0} {
		var f Fraction
		if err := f.Set(text); err != nil || float64(f) != want {
			t.Errorf("%q is %v (%v), want %v", text, float64(f), err, want)
		}
	}
	for _, text := range []string{"", "%", "one", "1%%", "% 1", "nan", "Inf%", "1/100"} {
		f := Fraction(0.25)
		if err := f.Set(text); err == nil || f != 0.25 {
			t.Errorf("%q became %v", text, float64(f))
		}
	}
}

package figures

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{8, 1, 2, 4}, 3}} {
		if got := Median(c.x); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.x, got, c.want)
		}
	}
}

func TestRatioString(t *testing.T) {
	for want, r := range map[string]Ratio{
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
	r, err := Paired(a, b)
	if err != nil {
		t.Fatal(err)
	}
	near := func(got, want float64) bool { return math.Abs(got/want-1) < 1e-9 }
	if math.Abs(r.Value-2) > 0.02 || !near(r.Low, 1.9) || !near(r.High, 2.1) {
		t.Errorf("%+v, want 2 (1.9 to 2.1)", r)
	}
	if r, err = Paired(a[:5], b[:5]); err != nil || r.Bounded() || math.Abs(r.Value-2) > 0.05 {
		t.Errorf("five rounds: %+v, %v", r, err)
	}
	if _, err := Paired(a, b[:5]); err == nil {
		t.Error("a round without its other half was paired")
	}
	if _, err := Paired([]float64{0}, []float64{1}); err == nil {
		t.Error("a ratio to nothing")
	}
}

// The interval of n logarithms at 95 % by the signed-rank test: from the k-th smallest
// Walsh average to the k-th largest, k = 1 for n = 6 and 3 for n = 7 (Hollander & Wolfe
// 1999, table A.4: P(T+ >= 21) = 0.016 for n = 6, P(T+ >= 26) = 0.023 for n = 7).
func TestCentre(t *testing.T) {
	near := func(x, want float64) bool { return math.Abs(x-want) < 1e-9*want }
	// Logarithms 0, 1, ... 5 of base 2: the Walsh averages lie around 2.5, from 0 to 5.
	r, err := Centre([]float64{1, 2, 4, 8, 16, 32})
	if err != nil || !near(r.Value, math.Exp2(2.5)) || !near(r.Low, 1) || !near(r.High, 32) {
		t.Errorf("6 rounds: %v, %v, want %v (1 .. 32)", r, err, math.Exp2(2.5))
	}
	// Of 0 ... 6 the smallest averages are 0, 0.5, 1, 1, and the largest 6, 5.5, 5, 5.
	r, err = Centre([]float64{1, 2, 4, 8, 16, 32, 64})
	if err != nil || !near(r.Value, 8) || !near(r.Low, 2) || !near(r.High, 32) {
		t.Errorf("7 rounds: %v, %v, want 8 (2 .. 32)", r, err)
	}
	// Five rounds cannot have an interval of 95 %: the least level of the test is 2/2^5.
	r, err = Centre([]float64{3, 3, 3, 3, 3})
	if err != nil || r.Bounded() || !near(r.Value, 3) || r.String() != "3.00" {
		t.Errorf("5 rounds: %v, %v", r, err)
	}
	for _, x := range [][]float64{nil, {0}, {1, -2}, {math.Inf(1)}, {math.NaN()}} {
		if r, err := Centre(x); err == nil {
			t.Errorf("%v: %v, want an error", x, r)
		}
	}
}

func TestInTurns(t *testing.T) {
	var seen [][]int
	err := InTurns(6, 3, func(round, i int) error {
		if round == len(seen) {
			seen = append(seen, nil)
		}
		seen[round] = append(seen[round], i)
		return nil
	})
	if err != nil || len(seen) != 6 {
		t.Fatalf("%v, %v", seen, err)
	}
	for _, round := range seen {
		if slices.Sort(round); !slices.Equal(round, []int{0, 1, 2}) {
			t.Errorf("a round of %v", round)
		}
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{1.234: "1.23", 12.34: "12.3", 1234.5: "1234", 0.9114: "0.911"} {
		if got := Number(x, x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0.12345: "0.123", 0: "0", 9.876: "9.88", 999.4: "999", 26107: "26,100",
		1_234_567: "1,230,000"} {
		if got := Rounded(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

package main

import (
	"math"
	"testing"
)

func TestRatiosAreWithinRounds(t *testing.T) {
	got := ratios([]float64{2, 9, 4}, []float64{1, 3, 8})
	for i, want := range []float64{2, 3, 0.5} {
		if got[i] != want {
			t.Errorf("round %d: ratio %v, want %v", i, got[i], want)
		}
	}
}

// The interval of n logarithms at 95 % by the signed-rank test: from the k-th smallest
// Walsh average to the k-th largest, k = 1 for n = 6 and 3 for n = 7 (Hollander & Wolfe
// 1999, table A.4: P(T+ >= 21) = 0.016 for n = 6, P(T+ >= 26) = 0.023 for n = 7).
func TestEstimate(t *testing.T) {
	// Logarithms 0, 1, ... 5 of base 2: the Walsh averages lie around 2.5, from 0 to 5.
	e, err := estimateOf([]float64{1, 2, 4, 8, 16, 32})
	if err != nil {
		t.Fatal(err)
	}
	if e.Low == nil || !near(e.Value, math.Exp2(2.5)) || !near(*e.Low, 1) || !near(*e.High, 32) {
		t.Errorf("6 rounds: %v, want %v (1 .. 32)", e, math.Exp2(2.5))
	}
	// Of 0 ... 6 the smallest averages are 0, 0.5, 1, 1, and the largest 6, 5.5, 5, 5.
	e, err = estimateOf([]float64{1, 2, 4, 8, 16, 32, 64})
	if err != nil {
		t.Fatal(err)
	}
	if e.Low == nil || !near(e.Value, 8) || !near(*e.Low, 2) || !near(*e.High, 32) {
		t.Errorf("7 rounds: %v, want 8 (2 .. 32)", e)
	}
}

func near(x, want float64) bool { return math.Abs(x-want) < 1e-9*want }

// Five rounds cannot have an interval of 95 %: the least level of the test is 2/2^5.
func TestNoIntervalOfFewRounds(t *testing.T) {
	e, err := estimateOf([]float64{3, 3, 3, 3, 3})
	if err != nil {
		t.Fatal(err)
	}
	if e.Low != nil || e.High != nil || !near(e.Value, 3) || e.String() != "3.00" {
		t.Errorf("got %v", e)
	}
}

func TestEstimateRefusesWhatHasNoLogarithm(t *testing.T) {
	for _, x := range [][]float64{nil, {0}, {1, -2}, {math.Inf(1)}, {math.NaN()}} {
		if e, err := estimateOf(x); err == nil {
			t.Errorf("%v: %v, want an error", x, e)
		}
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{1.234: "1.23", 12.34: "12.3", 1234.5: "1234", 0.9114: "0.911", 0: "0.00"} {
		if got := digits(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

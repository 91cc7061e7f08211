package gobench

import "testing"

func TestOperationsFillTheTimeOfTheFasterSide(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{
		{100, 100, 1000000}, // 100 ms
		{100, 130, 1000000},
		{130, 100, 1000000},
		{100, 10000, 50000}, // the slower one takes 500 ms
		{2e8, 2e8, 1},
		{123, 123, 810000}, // two digits
		{0, 100, 42},       // hidden: as many as it did by itself
	} {
		if got := operations([2]float64{c.a, c.b}, 42, 1e8); got != c.want {
			t.Errorf("%v and %v ns: %d operations, want %d", c.a, c.b, got, c.want)
		}
	}
}

package figures

import (
	"math"
	"testing"
)

// Mann-Whitney's U for two samples that do not overlap, and that take turns: exact p-values
// 2/C(10,5), and with U = 10 of 25, R's wilcox.test(c(1,3,5,7,9), c(2,4,6,8,10)) 0.6905.
func TestRankTest(t *testing.T) {
	for _, c := range []struct {
		a, b     []float64
		ratio, p float64
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 8.0 / 3, 2.0 / 252},
		{[]float64{9, 7, 5, 3, 1}, []float64{2, 4, 6, 8, 10}, 1.2, 0.6904762},
	} {
		ratio, p := RankTest(c.a, c.b)
		if math.Abs(ratio-c.ratio) > 1e-6 || math.Abs(p-c.p) > 1e-6 {
			t.Errorf("%v against %v: ratio %v, p = %v, want %v, %v", c.a, c.b, ratio, p, c.ratio, c.p)
		}
	}
}

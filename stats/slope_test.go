package stats

import (
	"math"
	"testing"
)

// The values are those of R: confint(lm(dist ~ speed, cars)) on its data set cars (Ezekiel, Methods of Correlation
// Analysis, 1930).
func TestSlopeIsThatOfR(t *testing.T) {
	speed := []float64{4, 4, 7, 7, 8, 9, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15,
		15, 16, 16, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 20, 20, 20, 20, 20, 22, 23, 24, 24, 24, 24, 25}
	dist := []float64{2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26,
		54, 32, 40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85}
	got, err := Slope(speed, dist, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, want float64 }{"slope": {got.Value, 3.932409},
		"low": {got.Low, 3.096964}, "high": {got.High, 4.767853}} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s: %.6f, want %.6f", name, c.got, c.want)
		}
	}
	if _, err := Slope([]float64{1, 1, 1}, []float64{1, 2, 3}, 0.95); err == nil {
		t.Error("a line through points above each other")
	}
}

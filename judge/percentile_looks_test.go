package judge

import (
	"math"
	"testing"
)

// Over all looks percentiles spend no more than the level, and the last look has what is left.
func TestPercentilesShareTheLevelAmongTheirLooks(t *testing.T) {
	looks := []Look{{6, 0.2}, {7, 0.4}, {8, 0.55}, {9, 0.7}, {10, 0.8}, {11, 1}}
	want := []float64{0, 0, 0.05 * 0.55 * 0.55, 0, 0.05 * (0.8*0.8 - 0.55*0.55), 0.05 * (1 - 0.8*0.8)}
	sum := 0.0
	for i := range looks {
		o := Options{Alpha: 0.05, Looks: looks[:i+1], Interim: i < len(looks)-1}
		got := percentileLevel(o)
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("look %d: level %v, want %v", i, got, want[i])
		}
		sum += got
		o.Interim = false // the comparison ends here
		before := 0.0
		for _, w := range want[:i] {
			before += w
		}
		if got := percentileLevel(o); math.Abs(got-(0.05-before)) > 1e-12 {
			t.Errorf("a last look %d: level %v, want %v", i, got, 0.05-before)
		}
	}
	if sum > 0.05+1e-12 {
		t.Errorf("all looks spend %v", sum)
	}
	if got := percentileLevel(Options{Alpha: 0.05}); got != 0.05 {
		t.Errorf("the only look has the level %v", got)
	}
}

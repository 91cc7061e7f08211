package compare

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// series makes a block whose A follows the values; B is absent.
func series(values ...float64) []judge.Block {
	var b judge.Block
	for _, v := range values {
		b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{measure.CPU.Key: v}})
	}
	return []judge.Block{b}
}

func repeated(times int, values ...float64) []float64 {
	var out []float64
	for range times {
		out = append(out, values...)
	}
	return out
}

func TestASteadyDriftIsClean(t *testing.T) {
	var values []float64
	v := 1000.0
	for range 32 {
		values = append(values, v)
		v *= 1.01
	}
	r, err := SelfCheck(measure.CPU, series(values...), 0)
	if err != nil || !r.Clean || r.Couples != 16 {
		t.Fatalf("a machine that slows down by 1 %% a slice: %+v, %v", r, err)
	}
	if got := r.String(); got != "A/A clean (+-1 %)" {
		t.Errorf("%q", got)
	}
}

// A disturbance in step with the slices is what no pairing can cancel: every couple
// sees it on the same side, and the check says so.
func TestADisturbanceInStepIsNotClean(t *testing.T) {
	r, err := SelfCheck(measure.CPU, series(repeated(8, 1000, 1101, 1102, 1000)...), 0)
	if err != nil || r.Clean {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := r.String(); got != "A/A not clean (+10.10 ... +10.20 %)" {
		t.Errorf("%q", got)
	}
}

// Neighbours are sought within a start: a process that is 5 % dearer than the one
// before it says nothing against the method.
func TestStartsAreNotMixed(t *testing.T) {
	var blocks []judge.Block
	for i := range 12 {
		level := 1000 * (1 + 0.05*float64(i%2))
		blocks = append(blocks, series(level, level, level)...)
	}
	r, err := SelfCheck(measure.CPU, blocks, 0)
	if err != nil || r.Couples != 12 || r.Low != 1 || r.High != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSelfCheckSaysWhatIsMissing(t *testing.T) {
	flat := repeated(15, 1000)
	gap := series(repeated(20, 1000)...)
	delete(gap[0].Pairs[5].A, measure.CPU.Key) // not observed: its neighbours become a couple
	bad := series(repeated(16, 1000)...)
	bad[0].Pairs[7].A[measure.CPU.Key] = -2
	if r, err := SelfCheck(measure.CPU, gap, 0); err != nil || r.Couples != 9 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, c := range []struct {
		blocks []judge.Block
		side   int
		want   string
	}{
		{series(flat...), 0, "7 couples of slices give no 99 % interval, want 8"},
		{series(flat...), 1, "0 couples"},
		{series(flat...), 2, "side is 2"},
		{bad, 0, "pair 7 of start 0: CPU per request is -2 ns"},
	} {
		if _, err := SelfCheck(measure.CPU, c.blocks, c.side); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
	}
}

// steady are four starts of 25 pairs, of which B's slices scatter by 3 %; one in twenty is disturbed by up to 30 %.
func steady(rng *rand.Rand) (blocks []judge.Block) {
	for range 4 {
		var b judge.Block
		for range 25 {
			d := 0.03 * rng.NormFloat64()
			if rng.IntN(20) == 0 {
				d += 0.3 * rng.Float64()
			}
			b.Pairs = append(b.Pairs, judge.Pair{B: judge.Sample{measure.CPU.Key: 1000 * math.Exp(d)}})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func TestSelfCheckAgreesWithItsConfidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const rounds = 500
	unclean := 0
	for range rounds {
		r, err := SelfCheck(measure.CPU, steady(rng), 1)
		if err != nil {
			t.Fatal(err)
		}
		if r.Couples != 48 {
			t.Fatalf("%d couples, want 12 of each start", r.Couples)
		}
		if !r.Clean {
			unclean++
		}
	}
	// 1 % of 500 is 5, give or take 2.2.
	if unclean > 14 {
		t.Errorf("%d of %d clean measurements were called unclean", unclean, rounds)
	}
}

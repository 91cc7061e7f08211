package compare

import (
	"strings"
	"testing"
)

// series makes a block whose A follows the values; B is absent.
func series(values ...float64) []Block {
	var b Block
	for _, v := range values {
		b.Pairs = append(b.Pairs, Pair{A: Sample{CPU.Key: v}})
	}
	return []Block{b}
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
	r, err := SelfCheck(CPU, series(values...), 0)
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
	r, err := SelfCheck(CPU, series(repeated(8, 1000, 1101, 1102, 1000)...), 0)
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
	var blocks []Block
	for i := range 12 {
		level := 1000 * (1 + 0.05*float64(i%2))
		blocks = append(blocks, series(level, level, level)...)
	}
	r, err := SelfCheck(CPU, blocks, 0)
	if err != nil || r.Couples != 12 || r.Low != 1 || r.High != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSelfCheckSaysWhatIsMissing(t *testing.T) {
	flat := repeated(15, 1000)
	gap := series(repeated(20, 1000)...)
	delete(gap[0].Pairs[5].A, CPU.Key) // not observed: its neighbours become a couple
	bad := series(repeated(16, 1000)...)
	bad[0].Pairs[7].A[CPU.Key] = -2
	if r, err := SelfCheck(CPU, gap, 0); err != nil || r.Couples != 9 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, c := range []struct {
		blocks []Block
		side   int
		want   string
	}{
		{series(flat...), 0, "7 couples of slices give no 99 % interval, want 8"},
		{series(flat...), 1, "0 couples"},
		{series(flat...), 2, "side is 2"},
		{bad, 0, "pair 7 of start 0: CPU per request is -2 ns"},
	} {
		if _, err := SelfCheck(CPU, c.blocks, c.side); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
	}
}

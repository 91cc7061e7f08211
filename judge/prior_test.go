package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/stats"
)

// days simulates comparisons of one program on one machine. The standard deviation of a block is another one each day:
// its logarithm scatters by differ. Within a comparison it grows by drift from block to block, and with modes, two
// thirds of the blocks of each second day are up to six deviations off, on either side.
type days struct {
	luck          string
	differ, drift float64
	modes         bool
	history       int // comparisons that are known, of six blocks each
}

// day draws so many log ratios of equal variants.
func (d days) day(rng *rand.Rand, n int) (all []float64) {
	deviation := 0.01 * math.Exp(d.differ*rng.NormFloat64())
	mode := 0.0
	if d.modes && rng.IntN(2) == 0 {
		mode = 6 * deviation * (2*rng.Float64() - 1)
	}
	for i := range n {
		v := deviation * (1 + d.drift*float64(i)) * (luck[d.luck](rng) - luck[d.luck](rng)) / math.Sqrt2
		all = append(all, v+mode*float64(rng.IntN(3)-1))
	}
	return all
}

// alarms counts first stages that looks at few blocks end, and comparisons that both stages call different, of variants
// that differ by change. blocks is how many those took on average.
func (d days) alarms(rng *rand.Rand, rounds int, alpha, change float64) (first, both int, blocks float64) {
	o := Options{Staged: true, Alpha: alpha}.WithDefaults()
	again := o.Confirming(o.Alpha)
	noise := make([]float64, 64)
	for range rounds {
		var known []stats.Scatter
		for range d.history {
			known = append(known, scatterOf(d.day(rng, 6)))
		}
		o.Prior = stats.PriorOf(known)
		again.Prior = o.Prior
		values := d.day(rng, 64)
		for i := range values {
			values[i] += change
		}
		for n := FirstLook; o.byStudent(n); n++ {
			e := o.student(values[:n], noise[:n])
			if !e.Shown {
				continue
			}
			first++
			v := e.Verdict(memory, o)
			more := max(LeastToConfirm(v, e.Value), min(ConfirmingBlocks(v, e.Value), 20))
			if again.byStudent(more) && again.student(values[n:n+more], noise[:more]).Verdict(memory, again).Word == v.Word {
				both++
				blocks += float64(n + more)
			}
			break
		}
	}
	return first, both, blocks / float64(max(1, both))
}

// What is known of the scatter makes no more alarms than the level of few blocks allows, whatever the luck of starts is,
// and however days differ: 6 % of 5 % in the first stage, and a hundredth of that in both.
func TestWhatIsKnownMakesNoAlarms(t *testing.T) {
	const rounds = 10000
	for name := range luck {
		for _, d := range []days{{differ: 0.1, history: 8}, {differ: 0.5, history: 8}, {differ: 0.5, history: 20}, {differ: 1, history: 20},
			{differ: 0.3, drift: 0.1, history: 10}, {differ: 0.3, modes: true, history: 10}} {
			for _, alpha := range []float64{0.05} {
				d.luck = name
				rng := rand.New(rand.NewPCG(57, 6))
				first, both, _ := d.alarms(rng, rounds, alpha, 0)
				t.Logf("%+v, alpha %v: of %d comparisons of equal variants the first stage calls %d different, both %d", d, alpha,
					rounds, first, both)
			}
		}
	}
	for _, change := range []float64{0.03, 0.05, 0.1} {
		d := days{luck: "normal", differ: 0.5, history: 10}
		first, both, blocks := d.alarms(rand.New(rand.NewPCG(57, 6)), rounds/10, 0.05, change)
		t.Logf("%v: %d, %d of %d in %.1f blocks", change, first, both, rounds/10, blocks)
	}
}

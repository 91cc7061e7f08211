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
func (d days) alarms(rng *rand.Rand, rounds int, change float64) (first, both int, blocks float64) {
	o := Options{Staged: true}.WithDefaults()
	again := o.Confirming(o.Alpha)
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
			e := o.student(values[:n], make([]float64, n))
			if !e.Shown {
				continue
			}
			first++
			v := e.Verdict(memory, o)
			more := max(LeastToConfirm(v, e.Value), min(ConfirmingBlocks(v, e.Value), 20))
			if again.byStudent(more) && again.student(values[n:n+more], make([]float64, more)).Verdict(memory, again).Word == v.Word {
				both++
				blocks += float64(n + more)
			}
			break
		}
	}
	return first, both, blocks / float64(max(1, both))
}

// What is known of the scatter makes no more alarms than few blocks may make, whatever the luck of starts is, and however
// days differ: about 6 % of 5 % in the first stage, and one in 10,000 comparisons in both.
func TestWhatIsKnownMakesNoAlarms(t *testing.T) { knownScatters(t, 400) }

func TestWhatIsKnownMakesNoAlarmsInThousands(t *testing.T) { knownScatters(t, 10000) }

func knownScatters(t *testing.T, rounds int) {
	all, confirmed := 0, 0
	for name := range luck {
		for _, d := range []days{{differ: 0.5, history: 8}, {differ: 1, history: 20}, {differ: 0.3, drift: 0.1, history: 10},
			{differ: 0.3, modes: true, history: 10}} {
			d.luck = name
			first, both, _ := d.alarms(rand.New(rand.NewPCG(57, 6)), rounds, 0)
			t.Logf("%+v: of %d comparisons of equal variants the first stage calls %d different, both %d", d, rounds, first, both)
			if all, confirmed = all+rounds, confirmed+both; first > 5+rounds/100 {
				t.Errorf("%+v: the first stage calls %d of %d different", d, first, rounds)
			}
		}
	}
	if t.Logf("both: %d of %d", confirmed, all); confirmed > 1+all/10000 {
		t.Errorf("both stages call %d of %d different", confirmed, all)
	}
	for change, least := range map[float64]int{0.05: 60, 0.1: 65} {
		d := days{luck: "normal", differ: 0.5, history: 10}
		first, both, blocks := d.alarms(rand.New(rand.NewPCG(57, 6)), rounds/4, change)
		t.Logf("%v: of %d the first stage finds %d, both %d, in %.1f blocks", change, rounds/4, first, both, blocks)
		if 400*both < least*rounds || blocks > 9 {
			t.Errorf("%v: %d of %d in %.1f blocks", change, both, rounds/4, blocks)
		}
	}
}

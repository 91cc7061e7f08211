package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/stats"
)

// sibling simulates benchmarks on a machine whose other thread is busy for part of the time, block by block, in
// stretches: then B costs more than A, although their code does not.
type sibling struct {
	calm    float64 // the share of blocks that it leaves in peace
	stretch int     // blocks, on average
	cost    float64 // to B, as a log ratio
	change  float64 // of B in any case
	unseen  bool    // nothing marks it
}

func (s sibling) draw(rng *rand.Rand, n int) []Block {
	blocks := bench{pairsPerStart: 5, noise: 0.01, spread: 0.012, factor: math.Exp(s.change)}.draw(rng, n)
	busy := rng.Float64() >= s.calm
	for i := range blocks {
		if rng.IntN(s.stretch) == 0 {
			busy = rng.Float64() >= s.calm
		}
		for j := range blocks[i].Pairs {
			if p := &blocks[i].Pairs[j]; busy {
				p.Disturbed = !s.unseen
				p.B[cpu.Key] *= math.Exp(s.cost)
			}
		}
	}
	return blocks
}

// alarms counts the comparisons that a first stage calls different, and those that both do. A look decides only where
// the signs show something, which takes a hundredth of the time.
func (s sibling) alarms(rng *rand.Rand, rounds, room int) (first, both int) {
	for range rounds {
		blocks, o := s.draw(rng, 3*room), Options{Staged: true}.WithDefaults()
		for n := FirstLook; n <= room; n = NextLook(n) {
			o.Looks = append(o.Looks, Look{Blocks: n, Used: float64(n) / float64(room)})
			if shown, err := Shown(cpu, blocks[:n], o); err != nil || !shown {
				continue
			}
			seen, _ := observe(cpu, blocks[:n])
			values, _, _ := estimates(seen.changes)
			middle, _ := stats.HodgesLehmann(values, 0.5)
			v, err := Verdict{Measure: cpu}.againstCalmPairs(blocks[:n], Evidence{Value: middle.Value, Shown: true})
			if err != nil || v.OnlyDisturbed != "" {
				continue
			}
			if v, err = Decide(cpu, blocks[:n], o); err != nil || !v.Word.Different() {
				continue
			}
			first++
			more := max(LeastToConfirm(v, math.Log(v.Ratio)), min(ConfirmingBlocks(v, math.Log(v.Ratio)), 2*room))
			if v, err = confirm(cpu, v, blocks[n:n+more], o); err == nil && v.Word.Different() {
				both++
			}
			break
		}
	}
	return first, both
}

// A neighbour that comes and goes, and costs one side more as long as it is there, makes no alarm, however rarely the
// machine is calm. What is slower in any case is found where nothing disturbs it, and where all is disturbed.
func TestABusySiblingIsNoSlowerB(t *testing.T) { busySiblings(t, 12) }

// The same often enough to tell one alarm in 500.
func TestABusySiblingIsNoSlowerBInThousands(t *testing.T) { busySiblings(t, 500) }

func busySiblings(t *testing.T, rounds int) {
	rng := rand.New(rand.NewPCG(57, 1))
	alarms := 0
	for _, s := range []sibling{{calm: 0.75, stretch: 1, cost: 0.08}, {calm: 0.5, stretch: 1, cost: 0.08},
		{calm: 0.25, stretch: 1, cost: 0.08}, {calm: 0.25, stretch: 1, cost: 0.05}} {
		first, both := s.alarms(rng, rounds, 20)
		t.Logf("%+v: of %d comparisons the first stage calls %d different, and both %d", s, rounds, first, both)
		alarms += both
	}
	if alarms > 4*rounds/500 {
		t.Errorf("%d of %d comparisons of equal code call it different", alarms, 4*rounds)
	}
	stays := sibling{calm: 0.5, stretch: 4, cost: 0.08} // now and then it is there all the time
	first, both := stays.alarms(rng, rounds, 20)
	t.Logf("%+v: of %d comparisons the first stage calls %d different, and both %d", stays, rounds, first, both)
	if both > 1+rounds/500 {
		t.Errorf("%+v: %d of %d comparisons of equal code call it different", stays, both, rounds)
	}
	for _, calm := range []float64{1, 0.5, 0} {
		s := sibling{calm: calm, stretch: 1, change: 0.05}
		first, both := s.alarms(rng, rounds, 20)
		t.Logf("%+v: of %d comparisons the first stage calls %d different, and both %d", s, rounds, first, both)
		if both < rounds*8/10 {
			t.Errorf("%+v: %d of %d find the difference", s, both, rounds)
		}
	}
}

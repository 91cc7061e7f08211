package judge

import (
	"math"
	"math/rand/v2"
	"testing"
)

// luck draws what a process adds to the logarithm of its cost for as long as it lives, with a standard deviation of
// about 1.
var luck = map[string]func(*rand.Rand) float64{
	"normal": func(rng *rand.Rand) float64 { return rng.NormFloat64() },
	"heavy tails, Student's t of 2": func(rng *rand.Rand) float64 {
		return rng.NormFloat64() / math.Sqrt(rng.ExpFloat64())
	},
	"skewed, exponential": func(rng *rand.Rand) float64 { return rng.ExpFloat64() },
	"one in ten ten times as large": func(rng *rand.Rand) float64 {
		if rng.IntN(10) == 0 {
			return 10 * rng.NormFloat64()
		}
		return rng.NormFloat64()
	},
	"one of two values": func(rng *rand.Rand) float64 { return float64(2*rng.IntN(2) - 1) },
}

// fewStages carries out comparisons of few blocks, whose log ratios draw gives: looks at four and five of them, and a
// second stage. It counts alarms, and what both stages show.
func fewStages(rng *rand.Rand, rounds int, draw func() float64) (alarms, both int) {
	o := Options{Staged: true}.WithDefaults()
	again := o.Confirming(o.Alpha)
	noise := make([]float64, FewestToConfirm(o.Alpha))
	values := func(n int) (all []float64) {
		for range n {
			all = append(all, draw())
		}
		return all
	}
	for range rounds {
		first := values(mostFew)
		e := o.student(first[:FirstLook], noise)
		if !e.Shown {
			e = o.student(first, noise)
		}
		if !e.Shown {
			continue
		}
		alarms++
		v := e.Verdict(memory, o)
		second := values(LeastToConfirm(v, e.Value))
		if !again.byStudent(len(second)) {
			continue // signs of seven blocks: simulated elsewhere
		}
		if w := again.student(second, noise).Verdict(memory, again); w.Word == v.Word {
			both++
		}
	}
	return alarms, both
}

// Few blocks of equal variants make no more alarms than their part of the level allows, and confirm hardly one,
// whatever the distribution of the luck of a start is, and however far starts scatter.
func TestFewBlocksMakeNoAlarms(t *testing.T) {
	const rounds = 4000
	for name, of := range luck {
		for _, spread := range []float64{0.03, 0.1, 0.3} {
			rng := rand.New(rand.NewPCG(54, 1))
			alarms, both := fewStages(rng, rounds, func() float64 { return spread * (of(rng) - of(rng)) })
			t.Logf("%s, %v: of %d comparisons of equal variants the first stage calls %d different, the second confirms %d",
				name, spread, rounds, alarms, both)
			most := fewShare * DefaultAlpha * rounds
			if name == "one of two values" {
				most = 0.01 * rounds // starts of 80 % more or less agree once in 128 times
			}
			if float64(alarms) > most+4*math.Sqrt(most) || both > rounds/2000 {
				t.Errorf("%s, %v: %d alarms, %d of them confirmed, of %d", name, spread, alarms, both, rounds)
			}
		}
	}
}

// A difference of 30 % and more is shown and confirmed by few blocks where starts scatter as on a busy machine.
func TestFewBlocksShowLargeDifferences(t *testing.T) {
	const rounds, room = 200, 7
	for _, c := range []struct{ change, spread, power float64 }{
		{math.Log(0.7), 0.01, 0.99}, {math.Log(0.7), 0.05, 0.9}, {math.Log(1.5), 0.05, 0.95}, {-2.7, 0.2, 0.95}, {-2.7, 0.05, 1},
	} {
		rng := rand.New(rand.NewPCG(54, 2))
		confirmed, blocks := 0.0, 0
		for range rounds {
			_, v, n := inStages(t, rng, room, c.change, c.spread)
			if blocks += n; v.Confirmed() {
				confirmed++
			}
		}
		t.Logf("%+v: confirmed in %.3f, by %.1f blocks in all", c, confirmed/rounds, float64(blocks)/rounds)
		if confirmed/rounds < c.power {
			t.Errorf("%+v: confirmed in %.3f", c, confirmed/rounds)
		}
	}
}

// What four blocks show stays shown while a gate has the comparison go on, and its interval gets narrower.
func TestWhatFewBlocksShowStays(t *testing.T) {
	blocks := changed(cpu, spaced(40, 0.45, 0.55)...)
	rand.New(rand.NewPCG(54, 3)).Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	o, last := Options{Staged: true}, math.Inf(1)
	for n := FirstLook; n <= 40; n = NextLook(n) {
		o.Looks = append(o.Looks, Look{Blocks: n, Used: float64(n) / 200})
		v, err := Decide(cpu, blocks[:n], o)
		if err != nil || v.Word != Faster || v.Low > 0.5 || v.High < 0.5 || v.Resolution > last {
			t.Fatalf("%d blocks: %+v, %v", n, v, err)
		}
		if n > mostFew {
			last = v.Resolution
		}
	}
	if last > 0.1 {
		t.Errorf("40 blocks: +-%v", last)
	}
}

// An alarm that there was no time to measure again says how many starts that takes. What contradicts few blocks takes
// back what they showed.
func TestWhatFewBlocksShowMayNotHold(t *testing.T) {
	few := changed(cpu, spaced(4, 0.48, 0.52)...)
	o := Options{Staged: true, Looks: []Look{{Blocks: 4, Used: 0.9}}, Confirm: 4}
	v, err := DecideInStages(cpu, few, o, func(v Verdict) bool { return v.Word.Different() })
	if err != nil || v.Word != Undecided || v.Need == nil || v.Need.Starts != LeastAgain {
		t.Errorf("no time: %+v, need %+v, %v", v, v.Need, err)
	}
	o = Options{Staged: true, Looks: []Look{{Blocks: 4, Used: 0.1}, {Blocks: 24, Used: 0.5}}}
	v, err = Decide(cpu, append(few, changed(cpu, spaced(20, 0.995, 1.005)...)...), o)
	if err != nil || v.Word == Faster || v.Low > v.High {
		t.Errorf("contradicted: %+v, %v", v, err)
	}
}

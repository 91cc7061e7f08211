package judge

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// scattered is n blocks whose log ratios have this mean and standard deviation.
func scattered(rng *rand.Rand, n int, mean, deviation float64) []Block {
	var blocks []Block
	for range n {
		d := mean + deviation*rng.NormFloat64()
		blocks = append(blocks, Block{A: Sample{memory.Key: 1000}, B: Sample{memory.Key: 1000 * math.Exp(d)}})
	}
	return blocks
}

// inStages carries out a comparison whose budget has room for so many blocks of both stages. n is how many it took.
func inStages(t *testing.T, rng *rand.Rand, room int, mean, deviation float64) (first, final Verdict, n int) {
	t.Helper()
	return playedStages(t, memory, scattered(rng, 2*room, mean, deviation), room)
}

// playedStages is inStages with these blocks.
func playedStages(t *testing.T, m Measure, blocks []Block, room int) (first, final Verdict, n int) {
	t.Helper()
	o := Options{Staged: true}
	for n = FirstLook; ; n = min(NextLook(n), room) {
		o.Looks = append(o.Looks, Look{Blocks: n, Used: float64(n) / float64(room)})
		v, err := Decide(m, blocks[:n], o)
		if err != nil {
			t.Fatal(err)
		}
		if !v.Word.Different() {
			if v.Word == Same || n == room {
				return v, v, n
			}
			continue
		}
		more := max(LeastToConfirm(v, math.Log(v.Ratio)), min(ConfirmingBlocks(v, math.Log(v.Ratio)), room-n))
		final, err = confirm(m, v, blocks[n:n+more], o)
		if err != nil {
			t.Fatal(err)
		}
		return v, final, n + more
	}
}

// Of equal variants the first stage calls one comparison in twenty different, and both together one in two thousand: none of
// these, but for a chance of one in sixteen.
func TestAlarmsAreConfirmed(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 1))
	const rounds = 120
	first, both := 0, 0
	for range rounds {
		f, v, _ := inStages(t, rng, 14, 0, 0.015)
		if f.Word.Different() {
			first++
			if !v.Retracted() && !v.Confirmed() {
				t.Errorf("neither confirmed nor taken back: %+v", v)
			}
		}
		if v.Word.Different() {
			both++
		}
	}
	t.Logf("of %d comparisons of equal variants the first stage calls %d different, and the second confirms %d", rounds, first, both)
	if first == 0 || first > 14 || both > 1 { // 6 +- 2.4; 0.06
		t.Errorf("first stage: %d alarms, confirmed: %d, of %d", first, both, rounds)
	}
}

// What two stages find, how long they take, and that the second one does not overstate: 3 % where blocks scatter by 1.5 %.
func TestTwoStagesFindWhatIsThere(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 2))
	const rounds = 100
	for _, c := range []struct {
		mean, power, blocks float64
		room                int
	}{
		{0.05, 0.97, 14.5, 14}, {0.03, 0.85, 15, 14}, {0.03, 0.95, 20, 20}, {-0.03, 0.95, 20, 20},
	} {
		found, all, sum, over := 0, 0, 0.0, 0.0
		for range rounds {
			f, v, n := inStages(t, rng, c.room, c.mean, 0.015)
			all += n
			if !v.Confirmed() {
				continue
			}
			if found++; v.Word != f.Word {
				t.Errorf("%+v: %s, then %s", c, f.Word, v.Word)
			}
			sum += math.Log(v.Ratio) / c.mean
			over += math.Log(f.Ratio) / c.mean
		}
		n := float64(found)
		t.Logf("%+v: found %.3f in %.1f blocks; first stage %.3f of the difference, second %.3f", c, n/rounds, float64(all)/rounds, over/n, sum/n)
		if n/rounds < c.power || float64(all)/rounds > c.blocks || math.Abs(sum/n-1) > 0.05 {
			t.Errorf("%+v: found %.3f in %.1f blocks, and says %.3f of the difference", c, n/rounds, float64(all)/rounds, sum/n)
		}
	}
}

// A report answers many questions at once: what is shown among 15 measures is shown for all of them together.
func TestManyQuestionsShareTheLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 3))
	o := Options{Questions: 15}
	alone, together := 0, 0
	for range 200 {
		blocks := scattered(rng, 8, 0, 0.01)
		if v, err := Decide(memory, blocks, Options{}); err != nil || v.Word.Different() {
			alone++
		}
		if v, err := Decide(memory, blocks, o); err != nil || v.Word.Different() {
			together++
		}
	}
	t.Logf("of 200 equal ones %d are different alone, %d of 15", alone, together)
	if together > 3 || alone <= together {
		t.Errorf("of 200 equal ones %d are different alone, %d of 15", alone, together)
	}
	if v, err := Decide(memory, scattered(rng, 6, 0.05, 0.001), o); err != nil || v.Word != Slower {
		t.Errorf("5 %% with hardly any scatter: %+v, %v", v, err)
	}
	if v, err := Decide(memory, scattered(rng, 6, 0.05, 0), o); err != nil || v.Word != Slower {
		t.Errorf("5 %% without scatter: %+v, %v", v, err)
	}
}

// A first stage may show a difference at an early look, and have no level left for an interval at its last one.
func TestAVerdictOfTwoStagesSurvivesJSON(t *testing.T) {
	first := decideOn(t, cpu, changed(cpu, 0.5, 0.5))
	if first.Bounded() {
		t.Fatalf("%+v has an interval", first)
	}
	v, err := first.ConfirmedBy(decideOn(t, cpu, changed(cpu, spaced(12, 0.49, 0.51)...)), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	v.blocks, v.withoutCalm = nil, 0 // known as long as it is measured
	var back Verdict
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v\nbecame %+v, %v", v, back, err)
	}
}

package compare

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

// refereeOn is a referee of one variant whose gate is on a function, with twelve blocks in which B
// costs a tenth less in all.
func refereeOn(t *testing.T, text string, function ProfileFunction) (*Referee, []judge.Block) {
	t.Helper()
	g, err := gate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []judge.Block
	for i := range 12 {
		a := 100 + float64(i%3)
		pair := judge.Pair{A: judge.Sample{"cpu": a}, B: judge.Sample{"cpu": 0.9 * (a + float64(i%2))}}
		blocks = append(blocks, judge.Block{Pairs: []judge.Pair{pair, pair}})
	}
	return NewReferee(Question{Gated: measure.CPU, Measures: measure.All[:1], Gates: []gate.Gate{g}, Function: function,
		Most: 24, Variants: []string{"B"}}), blocks
}

// ratioOf is what profiles say of a function that became that much dearer, with the half-width of
// the interval.
func ratioOf(change, half float64) diff.FunctionRatio {
	return diff.FunctionRatio{A: 1000, B: 1000 * (1 + change), LogRatio: math.Log1p(change),
		Low: math.Log1p(change) - half, High: math.Log1p(change) + half,
		SamplesA: 50, SamplesB: 60, AllA: 500, AllB: 500, Starts: 6}
}

func TestGatesOnFunctionsAreJudgedByProfiles(t *testing.T) {
	for _, c := range []struct {
		change, half float64
		want         gate.Outcome
		over         bool
		says         string
	}{
		{0.01, 0.02, gate.Passed, true, "50 samples of 500 on A and 60 of 500 on B, from 6 starts of each"},
		{0.20, 0.05, gate.Failed, true, "change +14.1 ... +26.2 %"},
		{0.02, 0.10, gate.Open, false, "more of each would do"},
	} {
		var asked diff.Whole
		r, blocks := refereeOn(t, "func(main.work)<+5%",
			func(i int, function string, whole diff.Whole, alpha float64) (diff.FunctionRatio, error) {
				if i != 0 || function != "main.work" || !(alpha > 0 && alpha < 0.05) {
					t.Errorf("asked for %s of %d at level %v", function, i, alpha)
				}
				asked = whole
				return ratioOf(c.change, c.half), nil
			})
		if !r.FunctionsOpen() {
			t.Error("a gate before its first look is not open")
		}
		over, err := r.Look([][]judge.Block{blocks}, time.Second)
		if err != nil || over != c.over || r.FunctionsOpen() == c.over {
			t.Errorf("%+v: over %v, open %v, %v", c, over, r.FunctionsOpen(), err)
		}
		if !(asked.A > 99 && asked.A < 103 && asked.B < asked.A) {
			t.Errorf("a request costs %+v", asked)
		}
		ruling, err := r.Rule(0, blocks)
		if err != nil || len(ruling.Gates) != 1 || ruling.Gates[0].Outcome != c.want ||
			!strings.Contains(ruling.Gates[0].Reason, c.says) {
			t.Errorf("%+v: %+v, %v", c, ruling.Gates, err)
		}
		if v := ruling.Verdicts[len(ruling.Verdicts)-1]; v.Measure.Key != "func(main.work)" ||
			v.Method != QuasiBinomial || v.A != 1000 {
			t.Errorf("verdict %+v", v)
		}
	}
}

// What was shown at a look stands, whatever profiles come after it.
func TestASettledGateOnAFunctionStands(t *testing.T) {
	change := 0.2
	r, blocks := refereeOn(t, "func(main.work)<+5%",
		func(int, string, diff.Whole, float64) (diff.FunctionRatio, error) { return ratioOf(change, 0.05), nil })
	if _, err := r.Look([][]judge.Block{blocks}, time.Second); err != nil {
		t.Fatal(err)
	}
	change = 0
	if ruling, _ := r.Rule(0, blocks); ruling.Gates[0].Outcome != gate.Failed {
		t.Errorf("got %+v", ruling.Gates)
	}
}

func TestAnUnknownFunctionEndsTheMeasurement(t *testing.T) {
	unknown := errors.New("no function main.wrok was seen")
	r, blocks := refereeOn(t, "func(main.wrok)<+5%",
		func(int, string, diff.Whole, float64) (diff.FunctionRatio, error) {
			return diff.FunctionRatio{}, unknown
		})
	if _, err := r.Look([][]judge.Block{blocks}, time.Second); !errors.Is(err, unknown) {
		t.Errorf("got %v", err)
	}
	r, blocks = refereeOn(t, "func(main.work)<+5%", nil)
	if over, err := r.Look([][]judge.Block{blocks}, time.Second); over || err != nil {
		t.Errorf("without profiles: over %v, %v", over, err)
	}
	if ruling, _ := r.Rule(0, blocks); ruling.Gates[0].Outcome != gate.Open ||
		!strings.Contains(ruling.Gates[0].Reason, "no CPU profiles") {
		t.Errorf("without profiles: %+v", ruling.Gates)
	}
}

func TestLooksShareTheLevelOfAFunction(t *testing.T) {
	var looks []judge.Look
	sum := 0.0
	for _, used := range []float64{0.1, 0.3, 0.3, 0.8, 1} {
		looks = append(looks, judge.Look{Used: used})
		sum += partOfLevel(0.05, looks)
	}
	if math.Abs(sum-0.05) > 1e-6 {
		t.Errorf("all looks together spend %v of 0.05", sum)
	}
}

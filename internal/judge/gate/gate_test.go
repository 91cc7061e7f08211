package gate

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// seen is a verdict whose interval of B/A is low ... high, from ten starts.
func seen(m judge.Measure, a, low, high float64) judge.Verdict {
	middle := math.Sqrt(low * high)
	return judge.Verdict{Measure: m, A: a, B: a * middle, Ratio: middle, Low: low, High: high, Conf: 0.95, Starts: 10}
}

func gate(t interface{ Fatal(...any) }, text string) Gate {
	g, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestJudge(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		gate   string
		v      judge.Verdict
		want   Outcome
		reason string
	}{
		{"cpu<+2%", seen(measure.CPU, 14000, 0.997, 1.009), Passed, "change -0.30 ... +0.90 %"},
		{"cpu<+2%", seen(measure.CPU, 14000, 1.03, 1.05), Failed, "change +3.0 ... +5.0 %"},
		{"cpu<+2%", seen(measure.CPU, 14000, 0.99, 1.05), Open, "change -1.0 ... +5.0 %"},
		{"cpu<-10%", seen(measure.CPU, 14000, 0.07, 0.08), Passed, "change -93.0 ... -92.0 %"},
		{"cpu<-10%", seen(measure.CPU, 14000, 0.99, 1.01), Failed, "change -1.0 ... +1.0 %"},
		{"cpu<=+1us", seen(measure.CPU, 14000, 1.01, 1.05), Passed, "change +140 ... +700 ns"},
		{"cpu<=+100ns", seen(measure.CPU, 14000, 1.01, 1.05), Failed, "change +140 ... +700 ns"},
		{"rate>-5%", seen(measure.Throughput, 75_000, 0.96, 1.02), Passed, "change -4.0 ... +2.0 %"},
		{"rate>-5%", seen(measure.Throughput, 75_000, 0.90, 0.94), Failed, "change -10.0 ... -6.0 %"},
		{"rate>-5%", seen(measure.Throughput, 75_000, 0.90, 1.02), Open, "change -10.0 ... +2.0 %"},
		{"rate>=-1k", seen(measure.Throughput, 75_000, 0.90, 0.92), Failed, "change -7,500 ... -6,000 1/s"},
		// None out of none is not a change, and the runtime's own allocations are none.
		{"allocs<=0", seen(measure.Allocs, 0, 1, 1), Passed, "change 0 ... 0 allocs"},
		{"allocs<=0", seen(measure.Allocs, 3, 0.999, 1.002), Passed, "change 0 ... 0 allocs"},
		{"allocs<=0%", seen(measure.Allocs, 3, 0.999, 1.002), Passed, "change +0.00 ... +0.00 %"},
		{"allocs<=0", seen(measure.Allocs, 3, 1.3, 1.4), Failed, "change +0.900 ... +1.20 allocs"},
		{"allocs<=0", seen(measure.Allocs, 0, 90, 110), Failed, "change +0.890 ... +1.09 allocs"},
		{"allocs<0", seen(measure.Allocs, 3, 0.999, 1.002), Failed, "change 0 ... 0 allocs"}, // a fall was asked for
		{"allocs<0", seen(measure.Allocs, 3, 0.5, 0.6), Passed, "change -1.50 ... -1.20 allocs"},
		{"rss<+1MB", seen(measure.PeakRSS, 20e6, 1.0, 1.01), Passed, "change 0 ... +200 kB"},
		{"rss<+10%", seen(measure.PeakRSS, 0, 1.0, 1.01), Passed, "change +0.00 ... +1.0 %"},
		// Without an interval nothing is settled, whatever the limit.
		{"cpu<+5000%", judge.Verdict{Measure: measure.CPU, A: 1, High: inf, Reason: "too few starts"}, Open,
			"too few starts"},
		{"rate>-99%", judge.Verdict{Measure: measure.Throughput, A: 1, High: inf}, Open,
			"there is no interval of the change"},
		{"cpu<+5%", judge.Verdict{Measure: measure.CPU, A: 1, Low: math.NaN(), High: 1}, Open,
			"there is no interval of the change"},
		{"cpu<+5%", judge.Verdict{Measure: measure.CPU, A: 1, Low: 0, High: 1.01}, Open,
			"there is no interval of the change"},
		{"cpu<+5%", judge.Verdict{}, Open, "there is no interval of the change"},
	} {
		outcome, reason := gate(t, c.gate).Judge(c.v)
		if outcome != c.want || reason != c.reason {
			t.Errorf("%s on %v ... %v of %v: %s (%s), want %s (%s)", c.gate, c.v.Low, c.v.High, c.v.A, outcome, reason,
				c.want, c.reason)
		}
	}
}

func TestAGateWithoutATextIsNeverPassed(t *testing.T) {
	if outcome, _ := (Gate{Measure: measure.CPU, Op: "=="}).Judge(seen(measure.CPU, 1, 0.5, 0.6)); outcome != Open {
		t.Errorf("%s", outcome)
	}
}

// drawn is any gate, and any verdict on its measure.
func drawn(t *rapid.T) (Gate, judge.Verdict) {
	m := rapid.SampledFrom(measure.All).Draw(t, "measure")
	g := Gate{Measure: m, Op: rapid.SampledFrom([]limit.Op{limit.Less, limit.AtMost, limit.More, limit.AtLeast}).Draw(t,
		"op"), Relative: rapid.Bool().Draw(t, "relative")}
	ratio := rapid.Float64Range(0.01, 100)
	a := rapid.SampledFrom([]float64{0, 0.005, 1, 3, 14000, 2e7}).Draw(t, "a")
	low, high := ratio.Draw(t, "low"), ratio.Draw(t, "high")
	v := seen(m, a, min(low, high), max(low, high))
	// Limits at the very bounds matter most.
	bounds := []float64{0, v.Low - 1, v.High - 1, a * (v.Low - 1), a * (v.High - 1)}
	g.Limit = rapid.OneOf(rapid.SampledFrom(bounds), rapid.Float64Range(-1, 5), rapid.Float64Range(-1e5, 1e5)).Draw(t,
		"limit")
	return g, v
}

// What passes a gate fails the opposite one, and what settles neither settles both
// neither: so none is passed and failed at once.
func TestAGateAndItsOppositeAreNeverBothPassed(t *testing.T) {
	mirror := map[Outcome]Outcome{Passed: Failed, Failed: Passed, Open: Open}
	rapid.Check(t, func(t *rapid.T) {
		g, v := drawn(t)
		opposite := g
		opposite.Op = g.Op.Opposite()
		one, _ := g.Judge(v)
		other, _ := opposite.Judge(v)
		if other != mirror[one] {
			t.Fatalf("%+v: %s, the opposite %s", g, one, other)
		}
	})
}

func TestALaxerLimitPassesNoLess(t *testing.T) {
	rank := map[Outcome]int{Failed: 0, Open: 1, Passed: 2}
	rapid.Check(t, func(t *rapid.T) {
		g, v := drawn(t)
		laxer := g
		more := rapid.Float64Range(0, 10).Draw(t, "more")
		if g.Op == limit.More || g.Op == limit.AtLeast {
			more = -more
		}
		laxer.Limit += more
		strict, _ := g.Judge(v)
		lax, _ := laxer.Judge(v)
		if rank[lax] < rank[strict] {
			t.Fatalf("%v: %s, the laxer %v: %s", g.Limit, strict, laxer.Limit, lax)
		}
	})
}

// A narrower interval inside settles what the wider one settled, in the same way.
func TestMoreDataOverturnsNoOutcome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, v := drawn(t)
		narrow := v
		share := rapid.Float64Range(0, 1)
		width := v.High - v.Low
		narrow.Low += width * 0.5 * share.Draw(t, "from below")
		narrow.High -= width * 0.49 * share.Draw(t, "from above")
		wide, _ := g.Judge(v)
		if got, _ := g.Judge(narrow); wide != Open && got != wide {
			t.Fatalf("%s, and %s within", wide, got)
		}
	})
}

// A is to B as B is to A: the mirrored gate says of the swapped comparison what the gate
// says of this one.
func TestSwappedVariantsMirrorTheGate(t *testing.T) {
	mirrored := map[limit.Op]limit.Op{limit.Less: limit.More, limit.AtMost: limit.AtLeast, limit.More: limit.Less,
		limit.AtLeast: limit.AtMost}
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Float64Range(0.1, 10).Draw(t, "low"), rapid.Float64Range(0.1, 10).Draw(t, "high")
		v := seen(measure.CPU, 1000, min(low, high), max(low, high))
		bound := rapid.Float64Range(-0.9, 9).Draw(t, "limit")
		if near(bound, v.Low-1) || near(bound, v.High-1) {
			t.Skip("rounding decides at the bound itself")
		}
		g := Gate{Measure: measure.CPU, Relative: true, Limit: bound,
			Op: rapid.SampledFrom([]limit.Op{limit.Less, limit.AtMost, limit.More, limit.AtLeast}).Draw(t, "op")}
		m := Gate{Measure: measure.CPU, Relative: true, Limit: 1/(1+bound) - 1, Op: mirrored[g.Op]}
		one, _ := g.Judge(v)
		other, _ := m.Judge(seen(measure.CPU, v.B, 1/v.High, 1/v.Low))
		if one != other {
			t.Fatalf("%s %v on %v ... %v: %s, mirrored %s", g.Op, bound, v.Low, v.High, one, other)
		}
	})
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// With as many starts as it needs, an interval that shrinks by the square root of their
// number settles the gate.
func TestWhatAGateNeedsSettlesIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, v := drawn(t)
		need := g.Need(v)
		if outcome, _ := g.Judge(v); outcome != Open {
			if need != nil {
				t.Fatalf("%s, and yet it needs %+v", outcome, need)
			}
			return
		}
		if need == nil || need.Starts >= 1e9 {
			return // out of reach: the limit is the estimate
		}
		low, high := g.interval(v)
		middle, half := (low+high)/2, (high-low)/2/math.Sqrt(need.Factor*1.000001)
		if got := g.outcomeOf(middle-half, middle+half); got == Open {
			t.Fatalf("%+v on %v ... %v is still open after %+v: %v ... %v", g, low, high, need, middle-half,
				middle+half)
		}
	})
}

func TestWhatAGateNeedsWithoutAnInterval(t *testing.T) {
	g := gate(t, "cpu<+2%")
	few := judge.Verdict{Measure: measure.CPU, A: 1, High: math.Inf(1), Starts: 2,
		Need: &judge.Need{Starts: 4, Factor: 3}}
	if need := g.Need(few); need == nil || *need != *few.Need {
		t.Errorf("%+v, want what the verdict needs", need)
	}
	if need := g.Need(judge.Verdict{}); need != nil {
		t.Errorf("%+v from nothing", need)
	}
	if need := g.Need(seen(measure.CPU, 100, 0.98, 1.03)); need == nil || need.Starts != 18 {
		t.Errorf("%+v, want 18 more starts: 2.5 has to shrink to 1.5", need)
	}
}

// A gate that only a gain passes is open while it is undecided whether there is one, though its interval keeps to the
// limit. One that no change passes, too, is not.
func TestAGainHasToBeCalledOne(t *testing.T) {
	for text, want := range map[string]Outcome{"cpu<-1%": Open, "cpu<+2%": Passed} {
		v := seen(measure.CPU, 14000, 0.5, 0.7)
		v.Word, v.Reason = judge.Undecided, "some starts disagree"
		outcome, reason := gate(t, text).Judge(v)
		if outcome != want || want == Open && !strings.Contains(reason, v.Reason) {
			t.Errorf("%s: %s, %s", text, outcome, reason)
		}
		v.Word = judge.Faster
		if outcome, _ := gate(t, text).Judge(v); outcome != Passed {
			t.Errorf("%s of a gain that was shown: %s", text, outcome)
		}
	}
}

// A gate that asks for a gain needs it when it is measured again, too.
func TestAGainHasToComeAgain(t *testing.T) {
	gate, err := Parse("cpu<0%")
	if err != nil {
		t.Fatal(err)
	}
	v := judge.Verdict{Measure: measure.CPU, A: 100, Low: 0.8, High: 1.2, First: &judge.FirstStage{Low: 0.7, High: 0.9}}
	if outcome, reason := gate.Judge(v); outcome != Open ||
		!strings.Contains(reason, "-30.0 ... -10.0 % in the first stage") {
		t.Errorf("%s: %s", outcome, reason)
	}
	v.High = 0.95
	if outcome, reason := gate.Judge(v); outcome != Passed {
		t.Errorf("%s: %s", outcome, reason)
	}
}

// A difference within the limit is measured again with few blocks. Their wide interval does not open a gate that had
// passed.
func TestAGateThatPassedStaysPassed(t *testing.T) {
	gate, err := Parse("cpu<+5%")
	if err != nil {
		t.Fatal(err)
	}
	v := judge.Verdict{Measure: measure.CPU, A: 100, Low: 0.8, High: 1.2,
		First: &judge.FirstStage{Low: 0.7, High: 0.99, Again: true}}
	if outcome, reason := gate.Judge(v); outcome != Passed {
		t.Errorf("%s: %s", outcome, reason)
	}
	v.First.High = 1.1
	if outcome, reason := gate.Judge(v); outcome != Open {
		t.Errorf("open in both stages: %s: %s", outcome, reason)
	}
	v.First.High, v.Low = 0.99, 1.1
	if outcome, reason := gate.Judge(v); outcome != Failed {
		t.Errorf("failed when it was measured again: %s: %s", outcome, reason)
	}
}

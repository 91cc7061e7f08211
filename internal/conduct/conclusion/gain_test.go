package conclusion

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/wire/vary"
	"github.com/gohone/hone/judge"
)

// roundsOf are eight rounds of 1,000 answers of 100 bytes that cost so many microseconds each, and 3 % more or less.
func roundsOf(same, varied float64, change func(*GainRound)) []GainRound {
	var all []GainRound
	for i := range 8 {
		scatter := 1 + 0.03*float64(i%3-1)
		of := func(micros float64) Cost {
			return Cost{CPU: time.Duration(micros * scatter * 1e6), Answered: 1000, Received: 100_000}
		}
		r := GainRound{Same: of(same), Varied: of(varied)}
		if change != nil {
			change(&r)
		}
		all = append(all, r)
	}
	return all
}

func TestWhatIsLeftOfALargeGain(t *testing.T) {
	refused := func(r *GainRound) { r.Varied.Failed = 900 }
	odd := false
	apart := func(r *GainRound) { // so that it cannot be told what is left for the same request
		if odd = !odd; odd {
			r.Same.CPU *= 2
		}
	}
	empty := func(r *GainRound) { r.Varied.Received = 0 }
	for what, c := range map[string]struct {
		a, b []GainRound
		same bool
		want string // name of the caveat
		open string
	}{
		"honest":                {roundsOf(100, 100, nil), roundsOf(40, 42, nil), true, "", ""},
		"honest, a little less": {roundsOf(100, 120, nil), roundsOf(40, 62, nil), true, "", ""},
		"honest, with a list":   {roundsOf(100, 0, nil), roundsOf(40, 0, nil), false, "", ""},
		"a cache for one request": {roundsOf(100, 100, nil), roundsOf(40, 98, nil), true,
			record.CaveatRepeated, ""},
		"a cache that costs more": {roundsOf(100, 100, nil), roundsOf(40, 130, nil), true,
			record.CaveatRepeated, ""},
		"a cache that hits now and then": {roundsOf(100, 100, nil), roundsOf(40, 85, nil), true,
			record.CaveatRepeated, ""},
		"fast for hone only": {roundsOf(100, 100, nil), roundsOf(101, 99, nil), true,
			record.CaveatSeen, ""},
		"fast for hone only, with a list": {roundsOf(100, 0, nil), roundsOf(101, 0, nil), false,
			record.CaveatSeen, ""},
		"varied requests are refused": {roundsOf(100, 10, refused), roundsOf(40, 10, refused), true,
			record.CaveatOneRequest, "A answers otherwise"},
		"B alone refuses them": {roundsOf(100, 100, nil), roundsOf(40, 10, refused), true,
			record.CaveatOneRequest, "B answers otherwise"},
		"varied requests find nothing": {roundsOf(100, 10, empty), roundsOf(40, 10, empty), true,
			record.CaveatOneRequest, "A answers otherwise"},
		"gone compared with what is there without hone": {roundsOf(100, 100, nil), roundsOf(60, 81, nil), true,
			record.CaveatRepeated, ""},
		"for hone, and for one request": {
			roundsOf(100, 100, nil), roundsOf(50, 98, apart), true, record.CaveatSeen, "",
		},
		"no time": {roundsOf(100, 100, nil)[:3], roundsOf(100, 100, nil)[:3], true, "",
			"no time"},
		"rounds of B are missing": {roundsOf(100, 100, nil), nil, true, "", "no time"},
		"A refuses without hone's headers": {roundsOf(100, 100, func(r *GainRound) { r.Same.Answered = 0 }),
			roundsOf(40, 40, nil), true, "", "A refuses"},
		"B alone refuses without hone's headers": {roundsOf(100, 100, nil),
			roundsOf(40, 40, func(r *GainRound) { r.Same.Failed = 50 }), true, "", "B refuses"},
	} {
		a, b := &GainSide{Rounds: c.a, Same: c.same}, &GainSide{Rounds: c.b, Same: c.same}
		if c.same {
			a.Chosen = &vary.Variation{By: "another query"}
		}
		contest := &record.Contest{Word: judge.Faster, Verdicts: verdictsOf(map[string]float64{measure.CPU.Key: 0.4}),
			Gain: JudgeGain(a, b)}
		got := ""
		if caveat := gainCaveat(contest); caveat != nil {
			got = caveat.Name
			if caveat.Open != (c.want != record.CaveatOneRequest) || caveat.Text == "" || caveat.Detail == "" {
				t.Errorf("%s: %+v passes for a plain gain", what, caveat)
			}
		}
		if got != c.want || !strings.Contains(contest.Gain.Open, c.open) || c.open == "" && contest.Gain.Open != "" {
			t.Errorf("%s: caveat %q, open %q; want %q, %q", what, got, contest.Gain.Open, c.want, c.open)
		}
		contest.Verdicts = verdictsOf(map[string]float64{measure.CPU.Key: 0.8})
		got = ""
		if caveat := gainCaveat(contest); caveat != nil {
			got = caveat.Name
		}
		wrong := got == record.CaveatOneRequest || strings.HasPrefix(what, "honest") && got != ""
		if wrong || (got == record.CaveatSeen) != (c.want == record.CaveatSeen) {
			t.Errorf("%s: of a small gain, caveat %q", what, got)
		}
	}
}

// Half of a gain is left at its root: 4 times as fast is 2 times as fast then. Scatter alone takes no gain away.
func TestHowMuchOfAGainHasToBeLeft(t *testing.T) {
	for _, c := range []struct {
		ratio, low float64
		want       bool
	}{{0.25, 0.49, false}, {0.25, 0.51, true}, {0.5, 0.7, false}, {0.5, 0.71, true}, {0.69, 0.84, true}} {
		p := &record.GainPart{Ratio: 1, Low: c.low, High: math.Inf(1)}
		if got := GainGone(p, c.ratio); got != c.want {
			t.Errorf("a gain to %v, from %v on now: gone is %v", c.ratio, c.low, got)
		}
	}
	if GainGone((*record.GainPart)(nil), 0.1) {
		t.Error("what is not known is gone")
	}
}

// The values of a request that no variation touches leave the question open whether a cache would do.
func TestAGainWithTheSameValuesIsNotPlain(t *testing.T) {
	query, numbers := &vary.Variation{By: "another query"}, &vary.Variation{By: "other numbers", Values: true}
	for what, c := range map[string]struct {
		a    GainSide
		want string
	}{
		"nothing to vary but a query": {GainSide{Same: true, Chosen: query}, ""},
		"values, and a query varied":  {GainSide{Same: true, HasValues: true, Chosen: query}, record.CaveatOneRequest},
		"values varied":               {GainSide{Same: true, HasValues: true, Chosen: numbers}, ""},
		"A answers nothing else": {GainSide{Same: true, HasValues: true, Refuses: "other numbers"},
			record.CaveatOneRequest},
		"no way to vary it": {GainSide{Same: true}, record.CaveatOneRequest},
		"a list":            {GainSide{}, ""},
	} {
		c.a.Rounds = roundsOf(100, 100, nil)
		contest := &record.Contest{Word: judge.Faster, Verdicts: verdictsOf(map[string]float64{measure.CPU.Key: 0.4}),
			Gain: JudgeGain(&c.a, &GainSide{Rounds: roundsOf(40, 40, nil)})}
		got := ""
		if caveat := gainCaveat(contest); caveat != nil {
			got = caveat.Name
		}
		if got != c.want {
			t.Errorf("%s: caveat %q, want %q", what, got, c.want)
		}
	}
	unchecked := &record.Contest{Word: judge.Faster, Verdicts: verdictsOf(map[string]float64{measure.CPU.Key: 0.4}),
		Answers: &answers.Agreement{Requests: 1}}
	if caveat := gainCaveat(unchecked); caveat == nil || caveat.Name != record.CaveatOneRequest {
		t.Errorf("one request, and no check: %+v", caveat)
	}
	if unchecked.Answers.Requests = 2; gainCaveat(unchecked) != nil {
		t.Error("two requests are one")
	}
}

package repeat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/judge"
)

// seen is a verdict with a 95 % interval.
func seen(word judge.Word, low, high float64) judge.Verdict {
	return judge.Verdict{Word: word, Ratio: math.Sqrt(low * high), Low: low, High: high, Conf: 0.95,
		EquivalenceLow: low, EquivalenceHigh: high, Alpha: 0.05, Delta: 0.01, Starts: 12}
}

func TestOf(t *testing.T) {
	faster, slower := seen(judge.Faster, 0.88, 0.92), seen(judge.Slower, 1.08, 1.12)
	same := seen(judge.Same, 0.995, 1.005)
	bound := seen(judge.NoChange, 0.98, 1.03)
	bound.Excluded = 0.03
	none := judge.Verdict{Word: judge.Undecided, High: math.Inf(1)}
	for _, c := range []struct {
		name           string
		claimed, again judge.Verdict
		want           Answer
	}{
		{"the same gain", faster, seen(judge.Faster, 0.87, 0.93), Holds},
		{"a larger gain", faster, seen(judge.Faster, 0.70, 0.72), Holds},
		{"a clearly smaller gain", faster, seen(judge.Faster, 0.975, 0.985), Refuted},
		{"no change instead of a gain", faster, same, Refuted},
		{"slower instead of faster", faster, slower, Refuted},
		{"an interval that reaches both", faster, seen(judge.Undecided, 0.85, 1.10), Open},
		{"not measured", faster, none, Open},
		{"the same loss", slower, seen(judge.Slower, 1.07, 1.15), Holds},
		{"a loss that is larger", slower, seen(judge.Slower, 1.40, 1.44), Refuted},
		{"equal again", same, seen(judge.Same, 0.993, 1.004), Holds},
		{"slower instead of equal", same, slower, Refuted},
		{"a wide interval around equal", same, seen(judge.Undecided, 0.97, 1.04), Open},
		{"the bound again", bound, seen(judge.NoChange, 0.99, 1.02), Holds},
		{"beyond the bound", bound, slower, Refuted},
		{"nothing was claimed", seen(judge.Undecided, 0.9, 1.2), slower, Nothing},
		{"counts in their last digit", seen(judge.Faster, 0.5, 0.5), seen(judge.Faster, 0.5004, 0.5004), Holds},
	} {
		if got, why := Of(c.claimed, c.again, 1); got != c.want || got != Nothing && why == "" {
			t.Errorf("%s: %q (%s), want %q", c.name, got, why, c.want)
		}
	}
}

// A true difference is refuted in fewer than 1 of 100 pairs of measurements of one width, however many claims there
// are, and a difference that is not there is not confirmed without a verdict.
func TestErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 2))
	const times, width = 20_000, 1.96
	for _, c := range []struct {
		se0, se1 float64
		most     float64
	}{{0.01, 0.01, 0.01}, {0.01, 0.03, 0.03}, {0.03, 0.003, 0.05}} {
		refuted := 0
		for range times {
			draw := func(se float64) judge.Verdict {
				x := -0.2 + se*r.NormFloat64()
				return seen(judge.Faster, math.Exp(x-width*se), math.Exp(x+width*se))
			}
			if got, _ := Of(draw(c.se0), draw(c.se1), 1); got == Refuted {
				refuted++
			}
		}
		share := float64(refuted) / times
		t.Logf("standard errors %v and %v: %.4f refuted", c.se0, c.se1, share)
		if share > c.most {
			t.Errorf("standard errors %v and %v: %.4f of true claims are refuted, want at most %v", c.se0, c.se1, share,
				c.most)
		}
	}
}

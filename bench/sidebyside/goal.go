package sidebyside

import (
	"fmt"

	"github.com/gohone/hone/bench/figures"
)

// goal is what is wanted of a contest.
type goal struct {
	Text string
	// Limit is what the estimate has to reach: at least it, or at most.
	Limit   float64
	AtLeast bool
	// Missing says why it could not be judged; then the fields below are zero.
	Missing  string
	Estimate figures.Ratio
	Met      bool
	// Sure says that the whole interval is on the side that Met says.
	Sure bool

	values []float64 // by round
}

// judge fills in the verdict.
func (g *goal) judge() error {
	if g.Missing != "" {
		return nil
	}
	e, err := figures.Centre(g.values)
	if err != nil {
		return fmt.Errorf("judge %q: %w", g.Text, err)
	}
	reached := func(x float64) bool { return x == g.Limit || x > g.Limit == g.AtLeast }
	g.Estimate = e
	g.Met = reached(e.Value)
	g.Sure = e.Bounded() && reached(e.Low) == g.Met && reached(e.High) == g.Met
	return nil
}

// relation is what is wanted of the estimate.
func (g goal) relation() string {
	if g.AtLeast {
		return "at least " + digits(g.Limit)
	}
	return "at most " + digits(g.Limit)
}

// digits prints x with at least three digits, and no exponent.
func digits(x float64) string { return figures.Number(x, x) }

// times is the goal that a peer takes at least limit times what the reference does, which
// was measured.
func (c *contest) times(text, name string, limit float64) goal {
	g := c.atLeast(text, name, limit)
	ours, theirs := c.Entrants[0].Values, g.values
	g.values = make([]float64, min(len(theirs), len(ours)))
	for i := range g.values {
		g.values[i] = theirs[i] / ours[i]
	}
	return g
}

// atMost is the goal that an entrant takes at most limit.
func (c *contest) atMost(text, name string, limit float64) goal {
	g := c.atLeast(text, name, limit)
	g.AtLeast = false
	return g
}

// atLeast is the claim that an entrant takes at least limit.
func (c *contest) atLeast(text, name string, limit float64) goal {
	g := goal{Text: text, Limit: limit, AtLeast: true}
	if e := c.find(name); e != nil {
		g.values = e.Values
	} else {
		g.Missing = "no measurement of " + name
	}
	return g
}

// best is the name of the one of these that takes least; empty if none was measured.
func (c *contest) best(names ...string) string {
	best, least := "", 0.0
	for _, name := range names {
		if e := c.find(name); e != nil {
			if m := figures.Median(e.Values); best == "" || m < least {
				best, least = name, m
			}
		}
	}
	return best
}

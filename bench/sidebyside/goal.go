package main

import (
	"fmt"

	"github.com/gohone/hone/bench/side"
)

// goal is what is wanted of a contest.
type goal struct {
	Text string `json:"goal"`
	// Limit is what the estimate has to reach: at least it, or at most.
	Limit   float64 `json:"limit"`
	AtLeast bool    `json:"at_least"`
	// Missing says why it could not be judged; then the fields below are zero.
	Missing  string   `json:"missing,omitempty"`
	Estimate estimate `json:"estimate"`
	Met      bool     `json:"met"`
	// Sure says that the whole interval is on the side that Met says.
	Sure bool `json:"sure"`

	values []float64 // by round
}

// judge fills in the verdict.
func (g *goal) judge() error {
	if g.Missing != "" {
		return nil
	}
	e, err := estimateOf(g.values)
	if err != nil {
		return fmt.Errorf("judge %q: %w", g.Text, err)
	}
	reached := func(x float64) bool { return x == g.Limit || x > g.Limit == g.AtLeast }
	g.Estimate = e
	g.Met = reached(e.Value)
	g.Sure = e.Low != nil && reached(*e.Low) == g.Met && reached(*e.High) == g.Met
	return nil
}

// verdict is the judgement in a word or two.
func (g goal) verdict() string {
	switch {
	case g.Missing != "":
		return "unknown: " + g.Missing
	case g.Met && g.Sure:
		return "met"
	case g.Met:
		return "met, but not for sure"
	case g.Sure:
		return "missed"
	}
	return "missed, but not for sure"
}

// relation is what is wanted of the estimate.
func (g goal) relation() string {
	if g.AtLeast {
		return "at least " + digits(g.Limit)
	}
	return "at most " + digits(g.Limit)
}

// times is the goal that a peer takes at least limit times what the reference does.
func (c *contest) times(text, name string, limit float64) goal {
	g := goal{Text: text, Limit: limit, AtLeast: true}
	peer, ours := c.find(name), c.find(c.entrants[0].name)
	if peer == nil || ours == nil {
		g.Missing = "no measurement of " + name
		return g
	}
	g.values = ratios(peer.values(), ours.values())
	return g
}

// atMost is the goal that an entrant takes at most limit.
func (c *contest) atMost(text, name string, limit float64) goal {
	return c.absolute(goal{Text: text, Limit: limit}, name)
}

// atLeast is the claim that an entrant takes at least limit.
func (c *contest) atLeast(text, name string, limit float64) goal {
	return c.absolute(goal{Text: text, Limit: limit, AtLeast: true}, name)
}

func (c *contest) absolute(g goal, name string) goal {
	e := c.find(name)
	if e == nil {
		g.Missing = "no measurement of " + name
		return g
	}
	g.values = e.values()
	return g
}

// best is the name of the one of these that takes least; empty if none was measured.
func (c *contest) best(names ...string) string {
	best, least := "", 0.0
	for _, name := range names {
		e := c.find(name)
		if e == nil {
			continue
		}
		if m := side.Median(e.values()); best == "" || m < least {
			best, least = name, m
		}
	}
	return best
}

package cover

import (
	"context"
	"fmt"
)

// stated is what hone cover says of two profiles, in percent.
type stated struct {
	Overlap float64 `json:"overlap"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	// Samples are those of production and of the other profile.
	Samples [2]int `json:"samples"`
	// Chance is the probability that two profiles of one load have less in common; it is computed here. Near 0 they are not of one load.
	Chance float64 `json:"chance"`
}

// holds says whether an overlap is in the interval.
func (s stated) holds(overlap float64) bool { return s.Low <= overlap && overlap <= s.High }

// String is what hone states as a report has it.
func (s stated) String() string { return fmt.Sprintf("%.1f (%.1f ... %.1f)", s.Overlap, s.Low, s.High) }

// state asks hone how much of production another profile has: two files or runs.
func (c config) state(ctx context.Context, production, other string) (s stated, err error) {
	type side struct{ Samples int }
	var d struct {
		Schema          string
		Production, Run side
		ByFunction      struct {
			Overlap float64 `json:"overlap_percent"`
			Low     float64 `json:"low_percent"`
			High    float64 `json:"high_percent"`
		} `json:"by_function"`
	}
	if _, err := c.Hone.Ask(ctx, &d, nil, "cover", production, other); err != nil {
		return s, err
	}
	if d.Schema != "hone.cover/1" {
		return s, fmt.Errorf("read what hone cover prints: schema %q, want hone.cover/1", d.Schema)
	}
	f := d.ByFunction
	return stated{f.Overlap, f.Low, f.High, [2]int{d.Production.Samples, d.Run.Samples}, 0}, nil
}

// stateAll is what hone states of two files, with the chance that both are of one load.
func (c config) stateAll(ctx context.Context, production, other string) (*stated, error) {
	s, err := c.state(ctx, production, other)
	if err != nil {
		return nil, err
	}
	a, err := readSpread(production)
	if err != nil {
		return nil, err
	}
	b, err := readSpread(other)
	s.Chance = chance(a, b)
	return &s, err
}

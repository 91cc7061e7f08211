package cover

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/cover/services"
)

// measure measures one service, and keeps also what went wrong.
func (c config) measure(ctx context.Context, s services.Service) ([]record, error) {
	r := record{Service: s.Name, secret: c.half == bed.HalfClosed && !c.closed}
	err := c.take(ctx, s, &r)
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

// take measures one service. Its files go at the end: the logs are large.
func (c config) take(ctx context.Context, s services.Service, r *record) (err error) {
	if c.files, err = os.MkdirTemp(c.Dir, s.Name); err != nil {
		return err
	}
	defer os.RemoveAll(c.files)
	d := drawDemand(s, c.seed)
	r.Demand = d.String()
	production, err := c.observe(ctx, s, d, "production")
	if err != nil {
		return err
	}
	if r.Fit, err = c.fit(ctx, s, production); err != nil {
		return err
	}
	if r.Same, err = c.compare(ctx, s, production, d, "same"); err != nil {
		return err
	}
	missing, err := c.missing(ctx, s, d)
	if err != nil {
		return err
	}
	_, rest := d.split(missing)
	if r.Less, err = c.compare(ctx, s, production, rest, "less"); err != nil {
		return err
	}
	r.Truth, r.Drawn, err = c.truth(ctx, s, missing, production, d)
	return err
}

// compare takes another profile, and has hone say how much of production is in it.
func (c config) compare(ctx context.Context, s services.Service, production observed, d demand, name string) (*stated, error) {
	o, err := c.observe(ctx, s, d, name)
	if err != nil {
		return nil, err
	}
	return c.stateAll(ctx, production.profile, o.profile)
}

// The least and the most that the missing requests take of the CPU time: with less there is nothing to see, with more hardly a load.
const leastMissing, mostMissing = 0.1, 0.6

// missing draws the group of requests that leaves the load.
func (c config) missing(ctx context.Context, s services.Service, d demand) (string, error) {
	groups, sum := d.groups(), 0.0
	costs := map[string]float64{}
	for _, g := range groups {
		alone, _ := d.split(g)
		each, err := c.try(ctx, s, alone, "missing")
		if err != nil {
			return "", err
		}
		costs[g] = each.Seconds() * alone.of
		sum += costs[g]
	}
	fit := slices.DeleteFunc(slices.Clone(groups), func(g string) bool { return costs[g] < leastMissing*sum || costs[g] > mostMissing*sum })
	if len(fit) == 0 {
		return "", fmt.Errorf("no group of requests takes %g to %g of the CPU time: %v", leastMissing, mostMissing, costs)
	}
	return fit[seeded("missing", s.Name, c.seed).IntN(len(fit))], nil
}

// truth is the overlap of production with the load that lacks some requests, with what hone states of profiles that are drawn of both.
func (c config) truth(ctx context.Context, s services.Service, missing string, production observed, d demand) (*truth, *pairs, error) {
	alone, rest := d.split(missing)
	ratio, err := c.ratio(ctx, s, alone, rest)
	if err != nil {
		return nil, nil, err
	}
	var spreads [2]spread
	var profiles [2]string
	for i, d := range []demand{alone, rest} {
		o, err := c.observe(ctx, s, d, []string{"alone", "rest"}[i])
		profiles[i] = o.profile
		if err == nil {
			spreads[i], err = readSpread(o.profile)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	seen, err := readSpread(production.profile)
	if err != nil {
		return nil, nil, err
	}
	of := production.sent.share(alone)
	t := lacking(missing, spreads[0], spreads[1], of*ratio/(of*ratio+1-of))
	t.Seen = 100 * likeliest(seen, spreads[0], spreads[1])
	drawn, err := c.drawPairs(ctx, profiles[0], profiles[1], t.Share/100, t.Overlap)
	return &t, drawn, err
}

// share is the share of the requests that are of a demand's endpoints.
func (s sent) share(d demand) float64 {
	n := 0
	for _, p := range d.Parts {
		n += s[p.Name]
	}
	return float64(n) / float64(s.total())
}

package prof

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// CostOptions say how to look at one capture. The zero value is useful.
type CostOptions struct {
	// Module is the subject's main module, needed when its path has no dot in the
	// first element (myservice/foo), which else passes for the standard library.
	Module string
	// SampleType is what to count; empty means the default of the kind.
	SampleType string
}

// Cost is what one site costs per request.
type Cost struct {
	// Site has the line that costs most.
	Site
	PerRequest float64 `json:"per_request"` // in Unit
	Unit       string  `json:"unit"`
	// Share is PerRequest relative to the subject's total, in percent.
	Share float64 `json:"share_percent"`
	// Samples is how many samples of the profile the site has, Of how many the subject has
	// in all; 0 where the profile does not count them.
	Samples int64 `json:"samples,omitempty"`
	Of      int64 `json:"of_samples,omitempty"`
}

// FewestSamples is how many samples a profile must have for its shares to mean anything:
// with fewer, the share of a site that has half of them is uncertain by 18 points or more
// (1.96 standard errors of a binomial share).
const FewestSamples = 30

// Hot returns the n sites that cost most per request, the dearest first. It errs on a
// capture that cannot be divided: no operations, no samples, a sample type that is a state
// (inuse_*).
func Hot(c Capture, o CostOptions, n int) ([]Cost, error) {
	t, err := c.tally(o)
	if err != nil {
		return nil, err
	}
	count := samplesOf(c.Profile)
	var costs []Cost
	all := int64(0)
	for _, b := range t.buckets {
		n := count(b.samples)
		all += n
		costs = append(costs, Cost{
			Site: sampled.Heaviest(b.lines, CompareSites), PerRequest: b.value, Unit: t.unit,
			Share: 100 * b.value / t.total, Samples: n,
		})
	}
	for i := range costs {
		costs[i].Of = all
	}
	slices.SortFunc(costs, func(x, y Cost) int {
		return cmp.Or(cmp.Compare(y.PerRequest, x.PerRequest), CompareSites(x.Site, y.Site))
	})
	return costs[:min(n, len(costs))], nil
}

// samplesOf counts the samples that entries of p stand for: those of its column
// samples/count, which only CPU profiles have; 0 without it.
func samplesOf(p *profile.Profile) func([]*profile.Sample) int64 {
	column := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool {
		return t.Type == "samples" && t.Unit == "count"
	})
	return func(entries []*profile.Sample) (n int64) {
		if column < 0 {
			return 0
		}
		for _, s := range entries {
			n += s.Value[column]
		}
		return n
	}
}

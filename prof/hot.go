package prof

import (
	"cmp"
	"slices"
)

// Cost is what one site costs per request.
type Cost struct {
	// Site has the line that costs most.
	Site
	PerRequest float64 `json:"per_request"` // in Unit
	Unit       string  `json:"unit"`
	// Share is PerRequest relative to the subject's total, in percent.
	Share float64 `json:"share_percent"`
}

// Hot returns the n sites that cost most per request, the dearest first. Of the
// options it uses Module and SampleType; errors are those of Changes.
func Hot(c Capture, o ChangeOptions, n int) ([]Cost, error) {
	o.By = BySite
	t, err := c.tally(o)
	if err != nil {
		return nil, err
	}
	var costs []Cost
	for _, b := range t.buckets {
		costs = append(costs, Cost{
			Site: t.heaviestPlace(b, b.mostChanged(&bucket{}), t.functions), PerRequest: b.value, Unit: t.unit,
			Share: 100 * b.value / t.total,
		})
	}
	slices.SortFunc(costs, func(x, y Cost) int {
		return cmp.Or(cmp.Compare(y.PerRequest, x.PerRequest), compareSites(x.Site, y.Site))
	})
	return costs[:min(n, len(costs))], nil
}

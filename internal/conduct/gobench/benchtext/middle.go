package benchtext

import (
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/stats"
)

// Middle is one result for all turns of a block: the median of each value.
func Middle(results []*benchfmt.Result, config []benchfmt.Config) *benchfmt.Result {
	out := results[0].Clone()
	out.Config, out.Iters = config, 0
	for _, r := range results {
		out.Iters += r.Iters
	}
	for i, v := range out.Values {
		var values, printed []float64
		for _, r := range results {
			at := slices.IndexFunc(r.Values, func(o benchfmt.Value) bool { return o.Unit == v.Unit })
			if at >= 0 {
				values, printed = append(values, r.Values[at].Value), append(printed, r.Values[at].OrigValue)
			}
		}
		// There is one value at least, that of the first result.
		out.Values[i].Value, _ = stats.Median(values)
		out.Values[i].OrigValue, _ = stats.Median(printed)
	}
	return out
}

// Median is the median of x, which must not be empty.
func Median(x []float64) float64 {
	m, _ := stats.Median(x) // fails for an empty x only
	return m
}

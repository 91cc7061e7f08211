package figures

import "golang.org/x/perf/benchmath"

// RankLevel is the level at which benchstat calls two sides different.
const RankLevel = 0.05

// RankTest compares samples as benchstat does (golang.org/x/perf/benchmath, AssumeNothing): the
// ratio of the medians, b's over a's, and the p-value.
func RankTest(a, b []float64) (ratio, p float64) {
	thresholds := &benchmath.Thresholds{CompareAlpha: RankLevel}
	test := benchmath.AssumeNothing.Compare(benchmath.NewSample(a, thresholds), benchmath.NewSample(b, thresholds))
	return Median(b) / Median(a), test.P
}

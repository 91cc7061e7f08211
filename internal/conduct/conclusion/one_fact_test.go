package conclusion

import (
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// In a closed loop throughput and median latency are one fact, unless what is measured of one contradicts the other.
func TestThroughputAndLatencyAreOneFact(t *testing.T) {
	p50 := measure.Percentile("p50", 0.5)
	for what, c := range map[string]struct {
		rate, median judge.Verdict
		want         [2]judge.Word
		one          bool
	}{
		"the median is undecided": {
			judge.Verdict{Word: judge.Faster, Ratio: 1.605, Low: 1.4, High: 1.8},
			judge.Verdict{Word: judge.Undecided, Ratio: 0.634, Low: 0.443, High: 0.828},
			[2]judge.Word{judge.Faster, judge.Faster}, true,
		},
		"throughput is undecided": {
			judge.Verdict{Word: judge.Undecided, Ratio: 0.7, Low: 0.4, High: 1.1},
			judge.Verdict{Word: judge.Slower, Ratio: 1.5, Low: 1.4, High: 1.6},
			[2]judge.Word{judge.Slower, judge.Slower}, true,
		},
		"they contradict each other": {
			judge.Verdict{Word: judge.Faster, Ratio: 1.6, Low: 1.5, High: 1.7},
			judge.Verdict{Word: judge.Undecided, Ratio: 1, Low: 0.9, High: 1.1},
			[2]judge.Word{judge.Faster, judge.Undecided}, false,
		},
		"the median has no interval": {
			judge.Verdict{Word: judge.Faster, Ratio: 1.6, Low: 1.5, High: 1.7},
			judge.Verdict{Word: judge.Undecided, Ratio: 0.6},
			[2]judge.Word{judge.Faster, judge.Undecided}, false,
		},
		"both are undecided": {
			judge.Verdict{Word: judge.Undecided, Ratio: 1.05, Low: 0.9, High: 1.2},
			judge.Verdict{Word: judge.Undecided, Ratio: 0.96, Low: 0.8, High: 1.1},
			[2]judge.Word{judge.Undecided, judge.Undecided}, true,
		},
		"both are undecided, without an interval": {
			judge.Verdict{Word: judge.Undecided, Ratio: 1.5},
			judge.Verdict{Word: judge.Undecided, Ratio: 0.6},
			[2]judge.Word{judge.Undecided, judge.Undecided}, true,
		},
		"both are the same": {
			judge.Verdict{Word: judge.Same, Ratio: 1, Low: 0.995, High: 1.005},
			judge.Verdict{Word: judge.Same, Ratio: 1, Low: 0.995, High: 1.005},
			[2]judge.Word{judge.Same, judge.Same}, true,
		},
	} {
		c.rate.Measure, c.median.Measure = measure.Throughput, p50
		contest := record.Contest{Verdicts: []judge.Verdict{c.rate, c.median}}
		FindOneFact(&contest)
		got := [2]judge.Word{contest.Verdicts[0].Word, contest.Verdicts[1].Word}
		if got != c.want || contest.OneFact != c.one {
			t.Errorf("%s: %v, one fact %v; want %v, %v", what, got, contest.OneFact, c.want, c.one)
		}
	}
	alone := record.Contest{Verdicts: []judge.Verdict{{Measure: measure.Throughput, Word: judge.Faster}}}
	if FindOneFact(&alone); alone.OneFact {
		t.Error("throughput alone is one fact with itself")
	}
}

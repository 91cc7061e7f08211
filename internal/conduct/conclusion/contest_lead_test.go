package conclusion

import (
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// At a rate the word is that on latency, whatever CPU time says.
func TestLatencyLeadsAtARate(t *testing.T) {
	percentile := func(key string, word judge.Word, low, high float64) judge.Verdict {
		return judge.Verdict{Measure: judge.Measure{Key: key, Quantile: 0.99}, Word: word, Delta: 0.01,
			EquivalenceLow: low, EquivalenceHigh: high}
	}
	cpu := judge.Verdict{Measure: measure.CPU, Word: judge.Undecided}
	for _, c := range []struct {
		name     string
		verdicts []judge.Verdict
		leads    string
		want     judge.Word
	}{
		{"a repair", []judge.Verdict{cpu, percentile("p99", judge.Faster, 0.2, 0.4)}, "p99", judge.Faster},
		{"bounded", []judge.Verdict{cpu, percentile("p99", judge.NoChange, 0.97, 1.04)}, "p99", judge.NoChange},
		{"open", []judge.Verdict{cpu, percentile("p99", judge.Undecided, 0.9, 1.04)}, "p99", judge.Undecided},
		{"too few for p99", []judge.Verdict{cpu, percentile("p50", judge.Slower, 1.1, 1.2)}, "p50", judge.Slower},
		{"no latency", []judge.Verdict{cpu}, "", judge.Undecided},
	} {
		contest := record.Contest{Word: judge.Undecided, Verdicts: c.verdicts}
		Lead(&contest)
		if contest.Leads != c.leads || contest.Word != c.want {
			t.Errorf("%s: %s by %q, want %s by %q", c.name, contest.Word, contest.Leads, c.want, c.leads)
		}
	}
}

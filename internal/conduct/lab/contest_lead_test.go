package lab

import (
	"testing"

	"github.com/gohone/hone/internal/judge/compare"
)

// At a rate the word is that on latency, whatever CPU time says; within 5 % it is the same.
func TestLatencyLeadsAtARate(t *testing.T) {
	percentile := func(key string, word compare.Word, low, high float64) compare.Verdict {
		return compare.Verdict{Measure: compare.Measure{Key: key, Quantile: 0.99}, Word: word, Delta: 0.01, EquivalenceLow: low, EquivalenceHigh: high}
	}
	cpu := compare.Verdict{Measure: compare.CPU, Word: compare.Undecided}
	for _, c := range []struct {
		name     string
		verdicts []compare.Verdict
		leads    string
		want     compare.Word
	}{
		{"a repair", []compare.Verdict{cpu, percentile("p99", compare.Faster, 0.2, 0.4)}, "p99", compare.Faster},
		{"about the same", []compare.Verdict{cpu, percentile("p99", compare.Undecided, 0.97, 1.04)}, "p99", compare.Same},
		{"open", []compare.Verdict{cpu, percentile("p99", compare.Undecided, 0.9, 1.04)}, "p99", compare.Undecided},
		{"too few for p99", []compare.Verdict{cpu, percentile("p50", compare.Slower, 1.1, 1.2)}, "p50", compare.Slower},
		{"no latency", []compare.Verdict{cpu}, "", compare.Undecided},
	} {
		contest := Contest{Word: compare.Undecided, Verdicts: c.verdicts}
		contest.lead()
		if contest.Leads != c.leads || contest.Word != c.want {
			t.Errorf("%s: %s by %q, want %s by %q", c.name, contest.Word, contest.Leads, c.want, c.leads)
		}
	}
}

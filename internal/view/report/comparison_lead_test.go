package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// At a rate the sentence begins with latency, and says what became of CPU time only if that clearly changed. What was
// not confirmed is said with both figures.
func TestSentenceAtARate(t *testing.T) {
	p99 := judge.Verdict{Measure: measure.OfOpenLoop[2], Word: judge.Faster, A: 12e6, B: 4e6, Ratio: 0.333, Low: 0.3,
		High: 0.36, Conf: 0.98, Delta: 0.01,
		Starts: 7, Pairs: 70, First: &judge.FirstStage{Word: judge.Faster, Ratio: 0.3, Again: true}}
	cpu := judge.Verdict{Measure: measure.CPU, Word: judge.Slower, A: 100e3, B: 105e3, Ratio: 1.05, Low: 1.04,
		High: 1.06,
		Conf: 0.98, Delta: 0.01, Starts: 7,
		First: &judge.FirstStage{Word: judge.Slower, Again: true}}
	c := record.Contest{B: 1, Word: judge.Faster, Leads: "p99", Verdicts: []judge.Verdict{cpu, p99}}
	want := "B is faster than A: p99 latency 12.0 -> 4.00 ms (-66.7 %, 98 % interval -70.0 ... -64.0 %, 7 starts, 70 pairs, confirmed); CPU per request +5.0 % (+4.0 ... +6.0 %)"
	if got := model.ContestSentence(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	cpu.Word, cpu.B, cpu.Ratio, cpu.Low, cpu.High = judge.Undecided, 100.1e3, 1.001, 0.995, 1.007
	cpu.First = &judge.FirstStage{Word: judge.Slower, Ratio: 1.031, Low: 1.01, High: 1.052, Again: true}
	c = record.Contest{B: 1, Word: judge.Undecided, Verdicts: []judge.Verdict{cpu}}
	want = "undecided whether B differs from A: CPU per request 100 -> 100 us (+0.10 %, 98 % interval -0.50 ... +0.70 %, 7 starts); " +
		"+3.1 % (+1.0 ... +5.2 %) in the first stage, which did not come again"
	if got := model.ContestSentence(c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The second interval holds the first figure: it does not refute it.
	cpu.Word, cpu.Ratio, cpu.Low, cpu.High, cpu.Excluded = judge.NoChange, 1.018, 0.999, 1.039, 0.039
	cpu.First.Ratio, cpu.First.Low, cpu.First.High = 1.023, 1.005, 1.041
	c = record.Contest{B: 1, Word: judge.NoChange, Verdicts: []judge.Verdict{cpu}}
	want = "; the first stage showed +2.3 % (+0.50 ... +4.1 %), which the second did not confirm"
	if got := model.ContestSentence(c); !strings.HasSuffix(got, want) {
		t.Errorf("got  %s\nwant ... %s", got, want)
	}
}

package tune

import (
	"math"
	"strings"

	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

// verdictOf is a verdict on a measure with an interval; High 0 is a verdict with too few starts.
func verdictOf(m judge.Measure, a, low, high float64) judge.Verdict {
	v := judge.Verdict{Measure: m, A: a, Low: low, High: high, Conf: 0.975, Starts: 12, Ratio: math.Sqrt(low * high)}
	if high == 0 {
		v.Ratio, v.High = 1, math.Inf(1)
	}
	v.B = v.LedTo(a)
	return v
}

// seen is what a comparison saw of one setting.
type seen struct {
	name             string
	low, high        float64 // of the ratio of CPU time
	rss, goal        uint64
	cycles           uint64
	different        bool
	bytesLow, bytesH float64
}

// roundOf is a round over a program that takes 100 us per request, as it would come from a
// comparison.
func roundOf(a seen, all ...seen) *tuning.Round {
	out := &record.Outcome{Comparison: &record.Comparison{ID: "cc00ffee", Status: ledger.Complete},
		Runs: []record.Run{recordOf("a0", a)}}
	var settings []tuning.Setting
	for i, s := range all {
		c := record.Contest{B: i + 1, Verdicts: []judge.Verdict{verdictOf(measure.CPU, 100_000, s.low, s.high)}}
		if s.bytesH > 0 {
			c.Verdicts = append(c.Verdicts, verdictOf(measure.Bytes, 2048, s.bytesLow, s.bytesH))
		}
		if s.different {
			c.Answers = &answers.Agreement{Compared: 10,
				Differences: []answers.Difference{{Kind: answers.Longer, Count: 10, Share: 1}}}
		}
		settings = append(settings, tuning.Setting{Name: s.name, Env: strings.Fields(s.name)})
		out.Runs, out.Comparison.Contests = append(out.Runs, recordOf("b"+string(rune('0'+i)), s)),
			append(out.Comparison.Contests, c)
	}
	return newRound(out, settings, 0.05)
}

func recordOf(id string, s seen) record.Run {
	r := record.Run{PeakRSSBytes: s.rss, GCCycles: s.cycles, Starts: 10, RequestsPerSecond: 1000,
		Runtime: &record.RuntimeSummary{HeapGoalBytes: s.goal}}
	r.ID, r.Label = id, "./cmd/server"
	bytes := 2048.0
	r.PerRequest.AllocBytes = &bytes
	return r
}

package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/load"
)

func TestCausesHaveAFixedOrder(t *testing.T) {
	causes := map[string]uint64{"wrong status": 3, "reset": 7, "timeout": 3, "closed": 3, "refused": 3}
	const want = "error: reset: 7\nerror: closed: 3\nerror: refused: 3\nerror: timeout: 3\nerror: wrong status: 3\n"
	for range 50 {
		b := &strings.Builder{}
		if writeCauses(b, causes, load.Statuses{}); b.String() != want {
			t.Fatalf("got\n%s\nwant\n%s", b, want)
		}
	}
}

func TestPercentilesSayWhatTheyRestOn(t *testing.T) {
	l := lab.Latency{Count: 40, P50: 612e6, P90: 640e6, P99: 655e6, P999: 655e6, Max: 655e6}
	for count, want := range map[int64]string{
		40:    "p50 612 ms  p90 640 ms  max 655 ms  (closed loop, of 40 answers: p99 takes 100, p99.9 takes 1,000)",
		99:    "p50 612 ms  p90 640 ms  max 655 ms  (closed loop, of 99 answers: p99 takes 100, p99.9 takes 1,000)",
		100:   "p50 612 ms  p90 640 ms  p99 655 ms  max 655 ms  (closed loop, of 100 answers: p99.9 takes 1,000)",
		12345: "p50 612 ms  p90 640 ms  p99 655 ms  p99.9 655 ms  max 655 ms  (closed loop, of 12,345 answers)",
		0:     "p50 612 ms  p90 640 ms  p99 655 ms  p99.9 655 ms  max 655 ms  (closed loop)", // of an earlier hone
	} {
		l.Count = count
		shown, rests := latencyParts(l, "closed loop")
		if got := (Fact{Text: shown, Note: rests}).String(); got != want {
			t.Errorf("of %d answers:\n%s\nwant\n%s", count, got, want)
		}
	}
}

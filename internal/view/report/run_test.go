package report

import (
	"strings"
	"testing"
	"time"

	helpers "github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/load"
)

func TestCausesHaveAFixedOrder(t *testing.T) {
	causes := map[string]uint64{"wrong status": 3, "reset": 7, "timeout": 3, "closed": 3, "refused": 3}
	const want = "error: reset: 7\nerror: closed: 3\nerror: refused: 3\nerror: timeout: 3\nerror: wrong status: 3\n"
	for range 50 {
		b := &strings.Builder{}
		say(b, model.Accounts([]record.Run{{Counts: load.Counts{Scheduled: 1, Failed: 1, Sent: 1}, Causes: causes}},
			model.Brief))
		if _, rows, _ := strings.Cut(b.String(), "\n"); rows != want {
			t.Fatalf("got\n%s\nwant\n%s", b, want)
		}
	}
}

func TestPercentilesSayWhatTheyRestOn(t *testing.T) {
	l := record.Latency{Count: 40, P50: 612e6, P90: 640e6, P99: 655e6, P999: 655e6, Max: 655e6}
	for count, want := range map[int64]string{
		40:    "p50 612 ms  p90 640 ms  max 655 ms  (closed loop, of 40 answers: p99 takes 100, p99.9 takes 1,000)",
		99:    "p50 612 ms  p90 640 ms  max 655 ms  (closed loop, of 99 answers: p99 takes 100, p99.9 takes 1,000)",
		100:   "p50 612 ms  p90 640 ms  p99 655 ms  max 655 ms  (closed loop, of 100 answers: p99.9 takes 1,000)",
		12345: "p50 612 ms  p90 640 ms  p99 655 ms  p99.9 655 ms  max 655 ms  (closed loop, of 12,345 answers)",
		0:     "p50 612 ms  p90 640 ms  p99 655 ms  p99.9 655 ms  max 655 ms  (closed loop)", // of an earlier hone
	} {
		l.Count = count
		shown, rests := model.LatencyParts(l, "closed loop")
		if got := (model.Row{Text: shown, Note: rests}).String(); got != want {
			t.Errorf("of %d answers:\n%s\nwant\n%s", count, got, want)
		}
	}
}

func TestNeedsAreNamedWithTheirCost(t *testing.T) {
	if lines := model.Accounts([]record.Run{{}}, model.Full); len(lines) > 0 {
		t.Error("a run without needs has a row for them")
	}
	r := record.Run{Needs: []helpers.Facts{
		{Need: helpers.Need{Name: "db"}, PID: 7, Starts: 1, CPU: 1500 * time.Millisecond},
		{Need: helpers.Need{Name: "mail", Each: true}, PID: 9, Starts: 12, CPU: 21 * time.Millisecond},
	}}
	const want = "needs: db (PID 7, 1.5 s of CPU in the timed slices), mail (12 starts, the latest PID 9, 21ms of CPU in the timed slices); on the program's CPUs, and not in its CPU time"
	if lines := model.Accounts([]record.Run{r}, model.Brief); len(lines) != 1 || lines[0].Text != want {
		t.Errorf("%v\nwant %s", lines, want)
	}
	b := &strings.Builder{}
	if say(b, model.Accounts([]record.Run{r, r}, model.Brief)); b.String() != "A: "+want+"\nB: "+want+"\n" {
		t.Errorf("%s", b)
	}
}

package loadtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/recording"
)

// The warm-up is said with its counts, and what it left over is a term of the account, which
// balances.
func TestTheWarmUpIsSaid(t *testing.T) {
	s := recording.Summary{
		Account: recording.Account{Scheduled: 21, Sent: 21, Answered: 27},
		WarmUp: &recording.WarmUp{For: 500 * time.Millisecond,
			Account: recording.Account{Scheduled: 10, Sent: 10, Answered: 4, Unanswered: 6}},
	}
	account := func(s recording.Summary) (said string) {
		for _, r := range loadAccount(&s) {
			said += fmt.Sprintf("%s: %s\n", r.Name, r)
		}
		return said
	}
	said := account(s)
	for _, want := range []string{
		"sent 21 + left over by the warm-up 6 = answered 27 + failed 0 + unanswered 0",
		"warm-up: 500ms before that: sent 10, answered 4, failed 0, unanswered 6; in no other number here",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	said = account(recording.Summary{Account: recording.Account{Scheduled: 3, Sent: 3, Answered: 3}})
	if strings.Contains(said, "warm-up") {
		t.Errorf("a warm-up that was not:\n%s", said)
	}
}

func TestPublishedLine(t *testing.T) {
	s := recording.Summary{Totals: recording.Totals{Duration: 13_267 * time.Millisecond}}
	s.Requests = recording.Account{Scheduled: 1e6, Sent: 1e6, Answered: 1e6}
	want := "took 13,267 ms, sent 1,000,000, received 1,000,000, succeeded 1,000,000, failed 0, TPS 75,374"
	if got := Published(&s); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// A request whose time ran out has a latency, and no answer.
	s.Requests.Answered, s.Requests.Failed, s.Requests.Lost = 1e6-300, 300, 200
	s.Latencies.Failed = &recording.Latency{Count: 300}
	if want, got := "received 999,800, succeeded 999,700, failed 300", Published(&s); !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}

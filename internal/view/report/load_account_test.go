package report

import (
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
		WarmUp:  &recording.WarmUp{For: 500 * time.Millisecond, Account: recording.Account{Scheduled: 10, Sent: 10, Answered: 4, Unanswered: 6}},
	}
	b := &strings.Builder{}
	loadAccount(b, s)
	for _, want := range []string{
		"sent 21 + left over by the warm-up 6 = answered 27 + failed 0 + unanswered 0",
		"warm-up:  500ms before that: sent 10, answered 4, failed 0, unanswered 6; in no other number here",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b)
		}
	}
	b.Reset()
	loadAccount(b, recording.Summary{Account: recording.Account{Scheduled: 3, Sent: 3, Answered: 3}})
	if strings.Contains(b.String(), "warm-up") {
		t.Errorf("a warm-up that was not:\n%s", b)
	}
}

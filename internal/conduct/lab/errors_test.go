package lab

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// The kind of an error fixes the exit code, so no joining on the way may lose it.
func TestUnjoinKeepsTheKind(t *testing.T) {
	died := fail.New(fail.Subject, "exit code 7")
	if got := Unjoin(errors.Join(nil, died)); got != error(died) {
		t.Errorf("unjoin of a single error = %v", got)
	}
	inner := fail.New(fail.BadInput, "%w", errors.Join(errors.New("depth is 0")))
	if got := Unjoin(inner); fail.ExitCode(got) != int(fail.BadInput) {
		t.Errorf("a join inside an error lost its kind: %v", got)
	}
	if got := Unjoin(nil); got != nil {
		t.Errorf("unjoin(nil) = %v", got)
	}
}

func TestStatusOfTheEnd(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		cause error
		want  ledger.Status
	}{
		{nil, ledger.Complete},
		{fail.New(fail.Subject, "exit code 7"), ledger.Partial},
		{Interrupted(cancelled, errors.New("read: use of closed connection")), ledger.Interrupted},
		{&InvalidError{Doubt: load.Doubt{Text: "replies withheld"}}, ledger.Invalid},
	} {
		if got, _ := StatusOf(c.cause); got != c.want {
			t.Errorf("statusOf(%v) = %s, want %s", c.cause, got, c.want)
		}
	}
	if err := Interrupted(context.Background(), nil); err != nil {
		t.Errorf("nothing was interrupted, got %v", err)
	}
}

// The death of a program comes back from all that deal with it, and is said once.
func TestErrorsOfOneTextAreSaidOnce(t *testing.T) {
	died := func() error { return fail.New(fail.Subject, "program A ended:\nboom") }
	other := errors.New("ledger is full")
	got := Unjoin(errors.Join(errors.Join(died(), died()), other, died()))
	if got.Error() != "program A ended:\nboom\nledger is full" || fail.ExitCode(got) != int(fail.Subject) {
		t.Errorf("%v", got)
	}
	if got := Unjoin(errors.Join(died(), errors.Join(died()))); got.Error() != died().Error() ||
		fail.HintOf(got) != "" {
		t.Errorf("%v", got)
	}
	two := fmt.Errorf("%w; %w", died(), other)
	if got := Unjoin(two); got != two {
		t.Errorf("%v", got)
	}
}

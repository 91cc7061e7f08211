package fail

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestExitCodeAndHintSurviveWrapping(t *testing.T) {
	inner := New(Storage, "write row: %w", io.ErrShortWrite).WithHint("free some space")
	wrapped := fmt.Errorf("store run: %w", inner)
	outer := New(Subject, "%w", wrapped)
	joined := errors.Join(errors.New("another"), wrapped)
	for _, c := range []struct {
		name string
		err  error
		code int
		hint string
	}{
		{"nil", nil, 0, ""},
		{"unclassified", io.EOF, int(Internal),
			"this is a fault of hone: please report it, with the command and this message"},
		{"direct", inner, int(Storage), "free some space"},
		{"wrapped", wrapped, int(Storage), "free some space"},
		{"joined", joined, int(Storage), "free some space"},
		{"the outermost kind counts, the first hint is kept", outer, int(Subject), "free some space"},
	} {
		if code, hint := ExitCode(c.err), HintOf(c.err); code != c.code || hint != c.hint {
			t.Errorf("%s: code %d, hint %q; want %d, %q", c.name, code, hint, c.code, c.hint)
		}
	}
	if !errors.Is(outer, io.ErrShortWrite) {
		t.Error("the cause is lost")
	}
	if got, want := inner.Error(), "write row: short write"; got != want {
		t.Errorf("text %q, want %q: the hint is not part of it", got, want)
	}
}

func TestGitBisectRunGetsItsExitCodes(t *testing.T) {
	for kind, want := range map[Kind]int{
		Regression: 1, Undecided: 125, Invalid: 125, Subject: 125, BadInput: 130, Storage: 133, Interrupted: 130,
	} {
		err := New(kind, "x").WithHint("y")
		if got := ForGitBisect(err); ExitCode(got) != want || got.Error() != "x" || HintOf(got) != "y" {
			t.Errorf("kind %d: %d, %v, %q; want %d", kind, ExitCode(got), got, HintOf(got), want)
		}
	}
	if err := ForGitBisect(nil); err != nil {
		t.Error(err)
	}
}

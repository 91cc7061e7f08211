package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// The first Ctrl-C ends the reading of a large file, also while nothing looks at it.
func TestCtrlCEndsReading(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	a, busy, interrupted := &app{ctx: ctx}, make(chan struct{}), errors.New("interrupted")
	err := a.reading(func() error {
		stop(interrupted)
		<-busy
		return nil
	})
	close(busy)
	if !errors.Is(err, interrupted) {
		t.Errorf("%v, want %v", err, interrupted)
	}
}

func TestReadingReportsWhatItsReaderReports(t *testing.T) {
	a, bad := &app{ctx: t.Context()}, errors.New("line 3: no value")
	if err := a.reading(func() error { return bad }); !errors.Is(err, bad) {
		t.Errorf("%v, want %v", err, bad)
	}
	if err := a.reading(func() error { panic("no such row") }); err == nil || !strings.Contains(err.Error(),
		"panic: no such row") {
		t.Errorf("%v, want the panic", err)
	}
}

package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
)

// The first Ctrl-C ends the reading of a large file, also while nothing looks at it.
func TestCtrlCEndsReading(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a, busy := &commands{&app.App{Ctx: ctx}}, make(chan struct{})
	err := a.Reading(func() error {
		stop()
		<-busy
		return nil
	})
	close(busy)
	if code := fail.ExitCode(err); code != int(fail.Interrupted) {
		t.Errorf("%v ends with %d, want %d", err, code, fail.Interrupted)
	}
}

func TestReadingReportsWhatItsReaderReports(t *testing.T) {
	a, bad := &commands{&app.App{Ctx: t.Context()}}, errors.New("line 3: no value")
	if err := a.Reading(func() error { return bad }); !errors.Is(err, bad) {
		t.Errorf("%v, want %v", err, bad)
	}
	if err := a.Reading(func() error { panic("no such row") }); err == nil || !strings.Contains(err.Error(),
		"panic: no such row") {
		t.Errorf("%v, want the panic", err)
	}
}

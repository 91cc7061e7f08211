package service

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/text/progress"
)

// The test executable is also the guard: it turns into it by its first argument, before any test runs.
const guardRole = "run-helper:guard"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // no second at the end of each child
	if len(os.Args) > 1 && os.Args[1] == guardRole {
		os.Exit(guard.Run())
	}
	goleak.VerifyTestMain(m)
}

// silent is a progress without a reader.
type silent struct{}

func (silent) Phase(string, time.Duration) {}
func (silent) Tick(progress.Tick)          {}
func (silent) Warn(string)                 {}

package once

import (
	"io"
	"os"
	"runtime/pprof"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/guard"
)

// The test executable is also the guard, and a Go program with the probe in it: it turns
// into one of them by its first argument, before any test runs.
const (
	guardRole = "run-helper:guard"
	burnRole  = "run-helper:burn"
)

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // no second at the end of each child
	switch {
	case len(os.Args) > 1 && os.Args[1] == guardRole:
		os.Exit(guard.Run())
	case len(os.Args) > 2 && os.Args[1] == burnRole:
		if len(os.Args) > 3 { // with a CPU profile of its own
			for pprof.StartCPUProfile(io.Discard) != nil { // hone has one under way
				time.Sleep(time.Millisecond)
			}
		}
		burnFor(os.Args[2])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

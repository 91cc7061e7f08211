package recorder

import (
	"errors"
	"time"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/text/fail"
)

// Both ends are the same executable, so the messages need no version.

// The descriptors that hone hands to the child, besides its standard input.
const (
	ordersFD = 3 + iota
	reportsFD
)

// setup is the first that the child hears.
type setup struct {
	Dir      string // of the ledger
	Interval time.Duration
	Version  string
}

type orderKind int

const (
	// orderBegin: a run is to be recorded.
	orderBegin orderKind = iota + 1
	// orderUp: its program has been started.
	orderUp
	// orderLoad: what hone knows of it has changed.
	orderLoad
	// orderDown: its program is about to be stopped, and its page is scraped a last time.
	orderDown
	// orderEnd: the run is over, and its record is to be made whole.
	orderEnd
)

// order is what hone tells the child. One with a number is answered by a report with the
// same number; of others only faults are reported.
type order struct {
	Number int
	Kind   orderKind
	Run    string
	Begin  RunOptions
	Resume bool // go on with the record of a child that died
	Up     Program
	Load   update
}

// update is what hone knows of a run by itself.
type update struct {
	State metrics.LoadState
	// Latencies came since the last time: each a histogram, encoded.
	Latencies [][]byte
	// Runtime is the latest reading; nil if there is no newer one.
	Runtime probeclient.Metrics
}

// report is what the child tells hone.
type report struct {
	Number int
	Run    string
	Faults []string
	Series int
	Error  failure
}

// failure is an error that crosses the pipe.
type failure struct {
	Kind       fail.Kind // 0: no error
	Text, Hint string
}

func failureOf(err error) failure {
	if err == nil {
		return failure{}
	}
	return failure{Kind: fail.Kind(fail.ExitCode(err)), Text: err.Error(), Hint: fail.HintOf(err)}
}

// err is nil for no failure.
func (f failure) err() error {
	if f.Kind == 0 {
		return nil
	}
	return fail.New(f.Kind, "%w", errors.New(f.Text)).WithHint("%s", f.Hint)
}

package stored

import (
	"sync"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/program/sources"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
)

// Library reads a ledger for one command or one request: what it has parsed or found out, it keeps. Its methods may be
// called at the same time.
type Library struct {
	Ledger *ledger.Ledger
	// Sources finds the source of a run's program; nil, or a nil result, leaves source out.
	Sources func(record.Run) prof.Sources
	// Own says whether a run or comparison is the user's own, or trusted; nil: all are. No command is made of what
	// another one says.
	Own func(ledger.Ref) bool
	// Completing says with which flags a run can be measured again; nil, or false: with none.
	Completing func(record.Run) (flags string, ok bool)

	mu       sync.Mutex
	captures map[string]prof.Capture // by the SHA-256 of the artefact
	found    map[string]func() (*advice.Findings, error)
}

// Run reads the run with this name.
func (l *Library) Run(name string) (*Run, error) {
	row, err := l.Ledger.Run(name)
	if err != nil {
		return nil, err
	}
	r, err := RunOf(row)
	if l.Strange(row.ID) {
		r.forgetCommands()
	}
	return r, err
}

// Comparison reads the comparison with this name, and its runs.
func (l *Library) Comparison(name string) (*Comparison, error) {
	row, err := l.Ledger.Comparison(name)
	if err != nil {
		return nil, err
	}
	c, err := ComparisonOf(row)
	if l.Own != nil && !l.Own(ledger.Ref{Kind: ledger.KindComparison, ID: row.ID}) {
		c.forgetCommands()
	}
	if err == nil {
		c.Runs, err = l.Runs(row.Runs)
	}
	return c, err
}

// Runs reads the runs with these names.
func (l *Library) Runs(names []string) (all []*Run, err error) {
	for _, name := range names {
		r, err := l.Run(name)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Strange says whether a run is neither the user's own nor trusted.
func (l *Library) Strange(run string) bool {
	return l.Own != nil && !l.Own(ledger.Ref{Kind: ledger.KindRun, ID: run})
}

// Checkout finds the source of a run's program, and its files in the present checkout (see sources.Finder).
type Checkout interface {
	prof.Sources
	Below(root, name string) (way string, ok bool)
	Pinned() bool
}

var _ Checkout = (*sources.Finder)(nil)

// Checkout is that of a run's program; nil where it is not known.
func (l *Library) Checkout(r record.Run) Checkout {
	found, _ := l.Source(r).(Checkout)
	return found
}

// Source finds the source of a run's program; nil where it is not known.
func (l *Library) Source(r record.Run) prof.Sources {
	if l.Sources == nil {
		return nil
	}
	return l.Sources(r)
}

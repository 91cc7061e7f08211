package stored

import (
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/judge"
)

// Pair compares two stored runs, of which nothing is measured again. Runs that were measured together have the
// comparison that both are of, if it answers what is asked: its first run is a, under the usual options, or it is of
// executions. All others are compared by what the ledger keeps of them. Errors are those of history.Compare.
func (l *Library) Pair(a, b string, o judge.Options) (*Comparison, *history.Stored, error) {
	rowA, err := l.Ledger.Run(a)
	if err != nil {
		return nil, nil, err
	}
	rowB, err := l.Ledger.Run(b)
	if err != nil {
		return nil, nil, err
	}
	together := history.SharedComparison(rowA, rowB)
	if together == "" {
		s, err := history.Compare(l.Ledger, a, b, o)
		return nil, s, err
	}
	c, err := l.Comparison(together)
	if err != nil {
		return nil, nil, err
	}
	usual, full := judge.Options{}.WithDefaults(), o.WithDefaults()
	if c.OfExecutions() || full.Alpha == usual.Alpha && full.Delta == usual.Delta && c.Row.Runs[0] == rowA.ID {
		return c, nil, nil
	}
	s, err := history.Together(l.Ledger, a, b, o)
	return nil, s, err
}

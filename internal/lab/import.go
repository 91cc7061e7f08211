package lab

import (
	"errors"
	"time"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/prof"
)

// Import stores captures that were taken elsewhere as a run. Of the row it keeps the label
// and what is known of the source.
func (l *Lab) Import(row ledger.Run, captures []prof.Capture) (id string, err error) {
	draft, err := l.Ledger.BeginRun(ledger.Run{
		Started: time.Now(), Label: redact.Text(row.Label), Package: row.Package, Commit: row.Commit, Dirty: row.Dirty,
	})
	if err != nil {
		return "", err
	}
	count := map[string]int{}
	for _, c := range captures {
		if err := storeCapture(draft, count[c.Kind], c); err != nil {
			return draft.ID(), errors.Join(err, draft.Finish(ledger.Partial, err.Error(), nil))
		}
		count[c.Kind]++
	}
	return draft.ID(), draft.Finish(ledger.Complete, "", nil)
}

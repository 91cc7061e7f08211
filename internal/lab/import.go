package lab

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/prof"
)

// storeCapture stores the n-th capture of its kind, from 0 on: KIND.pb.gz, KIND.2.pb.gz ...
func storeCapture(d *ledger.Draft, n int, c prof.Capture) error {
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		return err
	}
	name := c.Kind
	if n > 0 {
		name = fmt.Sprintf("%s.%d", c.Kind, n+1)
	}
	_, err := d.AddArtefact("profile", name+".pb.gz", &b)
	return err
}

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

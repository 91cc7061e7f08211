package lab

import (
	"bytes"
	"errors"
	"time"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/prof"
)

// Import stores captures that were taken elsewhere as a run of that label.
func (l *Lab) Import(label string, captures []prof.Capture) (id string, err error) {
	draft, err := l.Ledger.BeginRun(ledger.Run{Started: time.Now(), Label: label})
	if err != nil {
		return "", err
	}
	count := map[string]int{}
	for _, c := range captures {
		var b bytes.Buffer
		if err = c.Write(&b); err == nil {
			_, err = draft.AddArtefact("profile", profileName(c.Kind, count[c.Kind]), &b)
		}
		if err != nil {
			return draft.ID(), errors.Join(err, draft.Finish(ledger.Partial, err.Error(), nil))
		}
		count[c.Kind]++
	}
	return draft.ID(), draft.Finish(ledger.Complete, "", nil)
}

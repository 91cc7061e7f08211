package fix

import (
	"errors"
	"path/filepath"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/stored"
)

// mostLooked is how many of the newest runs are looked at for one of the program.
const mostLooked = 100

// newestOf is the newest run by itself of a program in the directory that is named, or below it; without words in this
// one. It is empty where there is none.
func (c *command) newestOf(words []string) (string, error) {
	dir, err := app.WorkDir()
	if err != nil || len(words) > 1 {
		return "", err
	}
	if len(words) == 1 {
		if !app.IsSource(words[0]) {
			return "", nil
		}
		if dir, err = filepath.Abs(words[0]); err != nil {
			return "", err
		}
	}
	l, err := c.ReadLedger(c.Ledger)
	switch {
	case errors.Is(err, ledger.ErrNoLedger):
		return "", nil
	case err != nil:
		return "", err
	}
	defer l.Close()
	rows, err := l.Runs(ledger.RunFilter{Status: []ledger.Status{ledger.Complete}, Limit: mostLooked})
	if err != nil {
		return "", err
	}
	for _, row := range rows {
		r, err := stored.RunOf(row)
		if err != nil || row.Comparison != "" || r.Load != nil || r.Once != nil || r.Captures != nil {
			continue
		}
		way, err := filepath.Rel(dir, r.Record.Binary.Dir)
		if err == nil && filepath.IsLocal(way) && r.Record.Binary.Version() == "" && len(r.Record.Profiles) > 0 {
			return row.ID, nil
		}
	}
	return "", nil
}

package advice

import (
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
)

// Reads in a loop are named, and writes that each commit; writes in one transaction are a batch.
func TestWritesInOneTransactionAreABatch(t *testing.T) {
	at := func(text string, calls, ms float64) walltime.Statement {
		return walltime.Statement{Text: text, Function: "main.keep", File: "main.go", Line: int(calls), Calls: calls, Nanos: ms * 1e6}
	}
	for name, c := range map[string]struct {
		statements []walltime.Statement
		want       int
	}{
		"reads":                 {[]walltime.Statement{at("SELECT name FROM users WHERE id = ?", 40, 3), at("COMMIT", 1, 0.1)}, 1},
		"batch":                 {[]walltime.Statement{at("INSERT INTO items VALUES (?)", 40, 3), at("COMMIT", 1, 0.1)}, 0},
		"batch in lower case":   {[]walltime.Statement{at("insert into items values (?)", 40, 3), at("COMMIT", 1, 0.1)}, 0},
		"each commits":          {[]walltime.Statement{at("INSERT INTO items VALUES (?)", 40, 3), at("COMMIT", 40, 0.1)}, 1},
		"without a transaction": {[]walltime.Statement{at("INSERT INTO items VALUES (?)", 40, 3)}, 1},
	} {
		v := &View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{Name: walltime.TypicalName, LatencyNanos: 4e6, Statements: c.statements}}}}
		all := find(t, v).Findings
		if len(all) != c.want || c.want > 0 && all[0].Rule != nPlusOne.Name {
			t.Errorf("%s: %s", name, listed(all))
		}
	}
}

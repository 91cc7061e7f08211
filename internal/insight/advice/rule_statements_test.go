package advice

import (
	"strings"
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
		if of := v.batched("database/sql.(*Tx).ExecContext", "main.keep"); of != strings.HasPrefix(name, "batch") {
			t.Errorf("%s: a batch: %v", name, of)
		}
		if v.batched("net/http.(*Client).Do", "main.keep") || v.batched("database/sql.(*Tx).ExecContext", "main.other") {
			t.Errorf("%s: another call is of the batch", name)
		}
	}
}

// A read is slow by what it takes beyond a round trip, which the quickest statement shows; a write may wait for the disk.
func TestSlowStatements(t *testing.T) {
	const read, quick = "SELECT id FROM orders WHERE lower(name) = ?", "SELECT name FROM users WHERE id = ?"
	at := func(text string, ms float64) walltime.Statement {
		return walltime.Statement{Text: text, Function: "main.list", File: "main.go", Line: len(text), Calls: 1, Nanos: ms * 1e6, Quick: ms * 1e6}
	}
	inside := at(read, 1)
	inside.Inside = true
	crowded := at(read, 1)
	crowded.Quick = 0.2e6
	for name, c := range map[string]struct {
		statements []walltime.Statement
		want       int
	}{
		"near, by a quick statement":         {[]walltime.Statement{at(read, 1), at(quick, 0.1)}, 1},
		"far, by a quick statement":          {[]walltime.Statement{at(read, 1.2), at(quick, 1)}, 0},
		"perhaps far":                        {[]walltime.Statement{at(read, 1)}, 0},
		"far":                                {[]walltime.Statement{at(read, 2.1)}, 1},
		"in the program":                     {[]walltime.Statement{inside}, 1},
		"only where others wait for it, too": {[]walltime.Statement{crowded, at(quick, 0.1)}, 0},
		"all take long":                      {[]walltime.Statement{at(read, 2.5), at(quick, 2.4)}, 2},
		"a commit":                           {[]walltime.Statement{at("COMMIT", 1), at(quick, 0.1)}, 0},
		"a write":                            {[]walltime.Statement{at("WITH a AS (UPDATE b SET c = ?) SELECT d", 1), at(quick, 0.1)}, 0},
		"a slow write":                       {[]walltime.Statement{at("update orders set n = ?", 2.5), at(quick, 0.1)}, 1},
		"a lock of rows":                     {[]walltime.Statement{at("SELECT n FROM stock WHERE id = ? FOR UPDATE", 1), at(quick, 0.1)}, 0},
	} {
		v := &View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{Name: walltime.TypicalName, LatencyNanos: 4e6, Statements: c.statements}}}}
		all := find(t, v).Findings
		if len(all) != c.want || c.want > 0 && all[0].Rule != slowStatement.Name {
			t.Errorf("%s: %s", name, listed(all))
		}
	}
}

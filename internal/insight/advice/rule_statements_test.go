package advice

import (
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// Reads in a loop are named, and writes that each commit; writes in one transaction are a batch.
func TestWritesInOneTransactionAreABatch(t *testing.T) {
	at := func(text string, calls, ms float64) walltime.Statement {
		return walltime.Statement{Text: text, Function: "main.keep", File: "main.go", Line: int(calls), Calls: calls,
			Nanos: ms * 1e6}
	}
	for name, c := range map[string]struct {
		statements []walltime.Statement
		want       int
	}{
		"reads": {[]walltime.Statement{at("SELECT name FROM users WHERE id = ?", 40, 3),
			at("COMMIT", 1, 0.1)}, 1},
		"batch": {[]walltime.Statement{at("INSERT INTO items VALUES (?)", 40, 3), at("COMMIT", 1, 0.1)},
			0},
		"batch in lower case": {[]walltime.Statement{at("insert into items values (?)", 40, 3), at("COMMIT", 1, 0.1)},
			0},
		"each commits": {[]walltime.Statement{at("INSERT INTO items VALUES (?)", 40, 3),
			at("COMMIT", 40, 0.1)}, 1},
		"without a transaction": {[]walltime.Statement{at("INSERT INTO items VALUES (?)", 40, 3)}, 1},
	} {
		v := &facts.View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{Name: walltime.TypicalName, LatencyNanos: 4e6,
			Statements: c.statements}}}}
		all := find(t, v).Findings
		if len(all) != c.want || c.want > 0 && all[0].Rule != nPlusOne.Name {
			t.Errorf("%s: %s", name, listed(all))
		}
		if of := (&search{View: v}).batched("database/sql.(*Tx).ExecContext", "main.keep"); of != strings.HasPrefix(name,
			"batch") {
			t.Errorf("%s: a batch: %v", name, of)
		}
		if (&search{View: v}).batched("net/http.(*Client).Do", "main.keep") ||
			(&search{View: v}).batched("database/sql.(*Tx).ExecContext", "main.other") {
			t.Errorf("%s: another call is of the batch", name)
		}
	}
}

// A read is slow by what it takes beyond a round trip, which the quickest statement shows; a write may wait for the
// disk.
func TestSlowStatements(t *testing.T) {
	const read, quick = "SELECT id FROM orders WHERE lower(name) = ?", "SELECT name FROM users WHERE id = ?"
	at := func(text string, ms float64) walltime.Statement {
		return walltime.Statement{Text: text, Function: "main.list", File: "main.go", Line: len(text), Calls: 1,
			Nanos: ms * 1e6, Quick: ms * 1e6}
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
		"a write": {[]walltime.Statement{at("WITH a AS (UPDATE b SET c = ?) SELECT d", 1),
			at(quick, 0.1)}, 0},
		"a slow write": {[]walltime.Statement{at("update orders set n = ?", 2.5), at(quick, 0.1)},
			1},
		"a lock of rows": {[]walltime.Statement{at("SELECT n FROM stock WHERE id = ? FOR UPDATE",
			1), at(quick, 0.1)}, 0},
	} {
		v := &facts.View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{Name: walltime.TypicalName, LatencyNanos: 4e6,
			Statements: c.statements}}}}
		all := find(t, v).Findings
		if len(all) != c.want || c.want > 0 && all[0].Rule != slowStatement.Name {
			t.Errorf("%s: %s", name, listed(all))
		}
	}
}

// A transaction is named by what it does after it has written, where that is long, and much of a request that has it.
func TestLongTransactions(t *testing.T) {
	of := func(idle, held float64, requests int) *facts.View {
		meanwhile := walltime.Call{State: walltime.Sleep, Function: "main.sell", File: "main.go", Line: 40}
		return &facts.View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{{Name: walltime.TypicalName, Requests: 100,
			LatencyNanos: 20e6, Statements: []walltime.Statement{{Text: "BEGIN", Function: "main.sell", File: "main.go", Line: 35,
				Calls: float64(requests) / 100, Requests: requests, Nanos: 0.1e6, Quick: 0.1e6, Transaction: &walltime.Transaction{
					Wrote: "UPDATE stock SET n = ?", Held: held, Idle: idle, Meanwhile: meanwhile}}}}}}}
	}
	for name, c := range map[string]struct {
		view *facts.View
		want string
	}{
		"of each request": {of(8e6, 10e6, 100), "8.00 ms of the 10.0 ms from its first write to its end have no statement, " +
			"so one row takes at most 100 such transactions a second: UPDATE stock SET n = ?"},
		"of every second request": {of(4e6, 5e6, 50), "8.00 ms of the 10.0 ms"},
		"short":                   {of(0.9e6, 10e6, 100), ""},
		"a small part of it":      {of(0.05e6, 10e6, 2), ""},
	} {
		all := find(t, c.view).Findings
		if c.want == "" {
			if len(all) != 0 {
				t.Errorf("%s: %s", name, listed(all))
			}
			continue
		}
		if len(all) != 1 || all[0].Rule != longTransaction.Name || all[0].Place.Line != 40 || all[0].Gain != 0 ||
			!strings.HasPrefix(all[0].Evidence[0].Text, c.want) {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// The figures of a finding agree: how many requests call a statement, how often, and how long a call takes make what
// it costs, and that is a share of the latency that is said beside it. Of several endpoints it is of the one that is
// named.
func TestFiguresOfAStatementAgree(t *testing.T) {
	lookup := walltime.Statement{
		Text: "SELECT name FROM users WHERE id = ?", Function: "main.name", File: "main.go", Line: 24,
		Calls: 5.28, Requests: 44, Most: 12, Nanos: 6e6, Quick: 1.1e6,
	}
	cohort := func(name string, latency float64, s walltime.Statement) walltime.Cohort {
		return walltime.Cohort{Name: name, Requests: 100, LatencyNanos: latency, Statements: []walltime.Statement{s}}
	}
	of := func(all ...walltime.Cohort) walltime.Digest { return walltime.Digest{Cohorts: all} }
	one, queued, was, grown := lookup, lookup, lookup, lookup
	one.Calls, one.Requests, one.Nanos = 12, 100, 15e6
	queued = one
	queued.Queued = 12e6
	was.Calls, was.Nanos = 0.9, 0.9e6
	grown.Calls, grown.Nanos = 0.9, 30e6
	some, all := cohort(walltime.TypicalName, 20e6, lookup), cohort(walltime.TypicalName, 20e6, one)
	busy := cohort(walltime.TypicalName, 20e6, queued)
	busy.Parts = []walltime.Part{{Label: walltime.Label{Call: walltime.Call{State: walltime.Runnable}}, Nanos: 15e6}}
	several := of(some)
	several.Endpoints = []walltime.Endpoint{{Name: "GET /orders", Typical: all}}
	for name, c := range map[string]struct {
		waits                 walltime.Digest
		title, cost, evidence string
		absolute, whole       float64
	}{
		"all requests call it": {
			of(all), "one statement is called 12 times in one request (N+1)", "p50 latency",
			"75 % of the latency of a typical request (15.0 of 20.0 ms): 12 calls, 1.25 ms each: SELECT", 15e6, 20e6,
		},
		"some call it": {
			of(some), "one statement is called 12 times in one request (N+1)", "p50 latency",
			"30 % of the latency of a typical request (6.00 of 20.0 ms): " +
				"12 calls in each of the 44 % of these requests that call it, 1.14 ms each", 6e6, 20e6,
		},
		"an endpoint": {
			several, "one statement is called 12 times in one request of GET /orders (N+1)",
			"p50 latency of GET /orders",
			"75 % of the latency of a typical request of GET /orders (15.0 of 20.0 ms): " +
				"12 calls, 1.25 ms each", 15e6, 20e6,
		},
		"a busy program": {
			of(busy), "one statement is called 12 times", "p50 latency without waits for a processor",
			"60 % of the latency of a typical request without waits for a processor (3.00 of 5.00 ms): " +
				"12 calls, 250 us each", 3e6, 5e6,
		},
		"slow requests": {
			of(cohort(walltime.TypicalName, 20e6, was), cohort(walltime.SlowName, 40e6, grown)),
			"one statement takes 33.3 ms: SELECT", "p99 latency",
			"73 % of the latency of a slow request, more than of a typical one (29.1 of 40.0 ms): 2 calls in each " +
				"of the 44 % of these requests that call it, 33.3 ms each (1.00 ms in a typical request)", 29.1e6, 40e6,
		},
	} {
		n := facts.Numbers{LatencyP50: 7, LatencyP99: 9, Load: facts.Load{Connections: 1}}
		found := find(t, &facts.View{Waits: &c.waits, Numbers: n}).Findings
		if len(found) != 1 {
			t.Errorf("%s: %s", name, listed(found))
			continue
		}
		f := found[0]
		text := f.Evidence[0].Text
		if !strings.HasPrefix(f.Title, c.title) || f.Share() != c.cost || !strings.HasPrefix(text, c.evidence) {
			t.Errorf("%s: %s\n%s\n%s", name, f.Title, f.Share(), text)
		}
		if math.Abs(f.Absolute-c.absolute) > 1 || f.Whole != c.whole || math.Abs(f.Cost*f.Whole-f.Absolute) > 1 {
			t.Errorf("%s: costs %v: %v of %v ns, want %v of %v", name, f.Cost, f.Absolute, f.Whole, c.absolute, c.whole)
		}
	}
}

// A COMMIT of other requests makes no batch of writes that each wait for the disk.
func TestCommitsOfOtherRequests(t *testing.T) {
	at := func(text, function string, line int, calls, nanos float64) walltime.Statement {
		return walltime.Statement{
			Text: text, Function: function, File: "main.go", Line: line, Calls: calls, Requests: 50, Nanos: nanos,
		}
	}
	write := at("INSERT INTO items VALUES (?)", "main.keep", 1, 20, 3e6)
	commits := at("COMMIT", "main.order", 9, 0.5, 1e5)
	for requests, want := range map[int]int{50: 0, 20: 1} {
		commits.Requests, commits.Calls = requests, float64(requests)/100
		c := walltime.Cohort{Name: walltime.TypicalName, Requests: 100, LatencyNanos: 4e6}
		c.Statements = []walltime.Statement{write, commits}
		found := find(t, &facts.View{Waits: &walltime.Digest{Cohorts: []walltime.Cohort{c}}}).Findings
		if len(found) != want {
			t.Errorf("%d of 100 requests commit: %s", requests, listed(found))
		}
	}
}

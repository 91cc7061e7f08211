package advice

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/statement"
	"github.com/gohone/hone/internal/text/units"
)

// Statements of SQL. The evidence is the execution trace of a program that hone built: see package sqltrace.

var nPlusOne = &Rule{
	Name: "n-plus-one", Title: "one statement of SQL again and again in one request (N+1)",
	Looks: "statements that one request calls several times at one line, in loops or below them, and what they take of " +
		"its time; not writes in one transaction, which are a batch",
	Thresholds: append([]Threshold{
		{Name: "calls", Value: walltime.Repeated,
			Reason: "in one request, of the same statement at the same line; fewer are seldom of a loop over rows"},
	}, latencyThreshold...),
	Remedy: Remedy{
		Change: "Ask once for all rows: a join, WHERE id IN (...) or = ANY($1), and a map to put the answers to their " +
			"rows. Write many rows in one transaction, by one INSERT with several VALUES, or by COPY.",
		Before: "for _, o := range orders { db.QueryRow(\"SELECT name FROM users WHERE id = $1\", o.User) }",
		After:  "db.Query(\"SELECT id, name FROM users WHERE id = ANY($1)\", pq.Array(users))",
	},
	Find: func(v *search, r *Rule) []*found {
		repeated := func(s *facts.Statement) bool { return s.Calls >= r.threshold("calls") && !v.inBatch(s) }
		return v.onStatements(r, repeated, func(s *facts.Statement) (string, float64) {
			const title = "one statement is called %s times in one request%s (N+1): %s"
			return fmt.Sprintf(title, times(s.Calls), s.OfEndpoint(" of "), brief(s.One.Text)), 1 - 1/s.Calls
		})
	},
}

// inBatch says that a statement writes, and that requests with it commit less often than they call it: many rows go to
// the disk at once. Without a transaction each call waits for a commit of its own.
func (v *search) inBatch(s *facts.Statement) bool {
	if !statement.Writes(s.One.Text) {
		return false
	}
	return slices.ContainsFunc(v.Statements(), func(o facts.Statement) bool {
		commits := o.SameRequests(s) && o.One.Text == commit && o.Calls > 0 && o.Callers >= s.Callers-someCallers
		return commits && 2*o.Calls < s.Calls
	})
}

// someCallers is how much smaller the part of the requests with a COMMIT may be than that with the writes: one of
// them may lie outside of a trace.
const someCallers = 0.05

// batched says that a call of database/sql in a function is one of a batch.
func (v *search) batched(call, function string) bool {
	return strings.HasPrefix(call, "database/sql.") &&
		slices.ContainsFunc(v.Statements(),
			func(s facts.Statement) bool { return s.One.Function == function && v.inBatch(&s) })
}

const (
	// slowRead is how many nanoseconds more than a round trip a slow call of a statement takes: a row that an index
	// finds takes a tenth of it.
	slowRead = 0.5e6
	// slowInside is that of a database that runs in the program, and answers without a process in between.
	slowInside = 0.2e6
	// farAway is the longest round trip, in nanoseconds, to a database in another zone of a cloud. A write to the disk
	// takes as long.
	farAway = 1.5e6
)

// outgrows is how much more than the rest of a request a statement grows that makes slow requests slow.
const outgrows = 3

var slowStatement = &Rule{
	Name: "slow-statement", Title: "a slow statement of SQL",
	Looks: "statements that take long for each call, and much of the time of typical requests or of what makes slow " +
		"ones slow",
	Thresholds: []Threshold{
		{Name: "call", Value: slowRead,
			Reason: "ns for each call, without the round trip and 20 us for each row, of typical requests for the fastest " +
				"tenth of its calls: a row that an index finds takes a tenth of it"},
		{Name: "inside", Value: slowInside, Reason: "as for call, of a database that runs in the program"},
		{Name: "away", Value: farAway,
			Reason: "ns: the round trip is the time of the quickest statement, and none in the program; it is taken for so " +
				"much where no other statement shows it, of writes, which wait for the disk, and of slow requests"},
		{Name: "growth", Value: outgrows,
			Reason: "times: from typical to slow requests the statement grows so much more than the rest; where the machine " +
				"is busy, all of a request grows"},
		{Name: "latency", Value: large, Reason: "less is often the work that the request is there for"},
	},
	Remedy: Remedy{
		Change: "EXPLAIN (ANALYZE, BUFFERS) shows where the database spends the time: a scan of the table wants an index, " +
			"a sort or a count over all rows a bound. A statement that is slow now and then waits in the database for a lock " +
			"or the disk.",
		Before: "SELECT ... FROM orders WHERE customer = $1 -- reads the whole table",
		After:  "CREATE INDEX CONCURRENTLY orders_customer ON orders (customer)",
	},
	Find: func(v *search, r *Rule) []*found {
		away := v.roundTrip(r.threshold("away"))
		all := v.onStatements(r, func(s *facts.Statement) bool {
			slow := r.threshold("call")
			if s.Calls >= nPlusOne.threshold("calls") {
				return false
			}
			each := s.One.PerCall(s.One.Nanos - s.One.Queued)
			if s.One.Inside {
				slow = r.threshold("inside")
			}
			if s.Slow {
				return s.Outgrows >= r.threshold("growth") && each >= slow+r.threshold("away")
			}
			return min(s.One.Quick, each) >= slow+away(s)
		}, func(s *facts.Statement) (string, float64) {
			title := "one statement takes " + units.Nanos(s.Each) + s.OfEndpoint(" in ")
			return title + ": " + brief(s.One.Text), 1
		})
		for _, f := range all {
			if strings.HasSuffix(f.Title, ": "+commit) {
				f.Change, f.Before, f.After = commitChange,
					"for _, row := range rows { tx.Begin(); insert(row); tx.Commit() }",
					"tx.Begin(); for _, row := range rows { insert(row) }; tx.Commit()"
			}
		}
		return all
	},
}

// roundTrip says how many nanoseconds of a statement's calls are at most the way to the database and back, or a wait
// for the disk.
func (v *search) roundTrip(most float64) func(*facts.Statement) float64 {
	all := v.Statements()
	return func(s *facts.Statement) float64 {
		if !statement.Reads(s.One.Text) { // it may wait for the disk: also one that ends a transaction
			return most
		}
		if s.One.Inside {
			return 0
		}
		trip := most
		for _, o := range all {
			if o.One.Text != s.One.Text && o.One.Quick > 0 {
				trip = min(trip, o.One.Quick)
			}
		}
		return trip
	}
}

// commit is the statement that ends a transaction.
const commit = "COMMIT"

const commitChange = "COMMIT waits until the disk has the log. Put writes that belong together into one transaction. " +
	"Where the last moments may be lost in a crash of the machine, synchronous_commit = off (PostgreSQL) or " +
	"journal_mode = WAL with synchronous = NORMAL (SQLite) waits less."

// onStatements makes findings of statements. say is the title, and which part of the time can go away.
func (v *search) onStatements(r *Rule, takes func(*facts.Statement) bool,
	say func(*facts.Statement) (title string, gain float64)) []*found {
	var all []*found
	known := map[code.Place]*found{}
	for _, s := range v.Statements() {
		p := code.Place{Function: s.One.Function, File: s.One.File, Line: int64(s.One.Line)}
		small := s.Share() < r.threshold("latency") || s.Slow && s.Share() < leastTail
		if p.Function == "" || small || !takes(&s) {
			continue
		}
		title, gain := say(&s)
		if old := known[p]; old != nil {
			old.Evidence = append(old.Evidence, statementEvidence(&s))
			continue
		}
		known[p] = &found{Finding: Finding{
			Title: title, Place: p, Costs: Costs{Measure: measureOf(s.Latency), Of: s.Requests(), Whole: s.Whole,
				Cost: s.Share(), Gain: s.Share() * gain},
			Evidence: []Evidence{statementEvidence(&s)},
		}, stacks: v.inSQL(p.Function), traced: s.Traced}
		all = append(all, known[p])
	}
	return all
}

// statementEvidence says what a statement takes of which requests, how often they call it and how long a call takes.
func statementEvidence(s *facts.Statement) Evidence {
	calls := times(s.Calls) + " calls"
	if times(s.Calls) == "1" {
		calls = "1 call"
	}
	if !s.All {
		calls += fmt.Sprintf(" in each of the %s of these requests that call it", units.Share(s.Callers))
	}
	each := units.Nanos(s.Each) + " each"
	if s.Slow && s.EachTypical > 0 {
		each += fmt.Sprintf(" (%s in a typical request)", units.Nanos(s.EachTypical))
	}
	return Evidence{Source: "wait", Text: fmt.Sprintf("%s: %s, %s: %s", s.Amount(s.Nanos), calls, each, s.One.Text)}
}

// inSQL are the stacks on which a function of the user's is in database/sql; nil for none.
func (v *search) inSQL(function string) (all []int) {
	for i := range v.Stacks {
		s := &v.Stacks[i]
		at := s.Find(func(f *facts.Frame) bool { return f.Pkg == "database/sql" })
		if at < 0 {
			continue
		}
		if own := s.Own(at); own < len(s.Frames) && s.Frames[own].Function == function && v.claimed[i] == nil {
			all = append(all, i)
		}
	}
	return all
}

// times is a number of calls: whole where it is one in effect.
func times(calls float64) string {
	if n := math.Round(calls); n >= 10 || n >= 1 && math.Abs(calls-n) < 0.05 {
		return units.Count(uint64(n))
	}
	return units.Digits(calls)
}

// mostTitle bounds a statement in a title, in bytes; the evidence has more of it.
const mostTitle = 100

func brief(text string) string {
	if len(text) <= mostTitle {
		return text
	}
	return strings.ToValidUTF8(text[:mostTitle], "") + " ..."
}

// inStatement says whether a wait is in a statement that a finding names.
func (v *search) inStatement(w facts.Wait) bool {
	return strings.HasPrefix(w.Own.Outer, "database/sql.") &&
		(v.foundIn(w.Own.Function, nPlusOne.Name) || v.foundIn(w.Own.Function, slowStatement.Name))
}

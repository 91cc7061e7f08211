package advice

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// Statements of SQL. The evidence is the execution trace of a program that hone built: see package sqltrace.

var nPlusOne = &Rule{
	Name: "n-plus-one", Title: "one statement of SQL again and again in one request (N+1)",
	Looks: "statements that one request calls several times at one line, in loops or below them, and what they take of its time; not writes in one transaction, which are a batch",
	Thresholds: append([]Threshold{
		{Name: "calls", Value: walltime.Repeated, Reason: "in one request, of the same statement at the same line; fewer are seldom of a loop over rows"},
	}, latencyThreshold...),
	Change: "Ask once for all rows: a join, WHERE id IN (...) or = ANY($1), and a map to put the answers to their rows. Write many rows in one transaction, by one INSERT with several VALUES, or by COPY.",
	Before: "for _, o := range orders { db.QueryRow(\"SELECT name FROM users WHERE id = $1\", o.User) }",
	After:  "db.Query(\"SELECT id, name FROM users WHERE id = ANY($1)\", pq.Array(users))",
	Find: func(v *View, r *Rule) []*found {
		return v.onStatements(r, func(s *spentOn) bool { return s.one.Calls >= r.threshold("calls") && !v.inBatch(s) }, func(s *spentOn) (string, float64) {
			return fmt.Sprintf("one statement is called %s times in one request (N+1): %s", times(s.one.Calls), brief(s.one.Text)), 1 - 1/s.one.Calls
		})
	},
}

// writes are the words that statements begin with that change rows.
var writes = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "UPSERT"}

// inBatch says that a statement writes, and that requests with it commit less often than they call it: many rows go to the disk at once. Without a
// transaction each call waits for a commit of its own.
func (v *View) inBatch(s *spentOn) bool {
	word, _, _ := strings.Cut(s.one.Text, " ")
	if !slices.Contains(writes, strings.ToUpper(word)) {
		return false
	}
	return slices.ContainsFunc(v.statements(), func(o spentOn) bool {
		return o.measure == s.measure && o.one.Text == commit && o.one.Calls > 0 && 2*o.one.Calls < s.one.Calls
	})
}

// batched says that a call of database/sql in a function is one of a batch.
func (v *View) batched(call, function string) bool {
	return strings.HasPrefix(call, "database/sql.") && slices.ContainsFunc(v.statements(), func(s spentOn) bool { return s.one.Function == function && v.inBatch(&s) })
}

const (
	// slowRead is how many nanoseconds more than a round trip a slow call of a statement takes: a row that an index finds takes a tenth of it.
	slowRead = 0.5e6
	// farAway is the longest round trip, in nanoseconds, to a database in another zone of a cloud. A write to the disk takes as long.
	farAway = 1.5e6
)

// outgrows is how much more than the rest of a request a statement grows that makes slow requests slow.
const outgrows = 3

var slowStatement = &Rule{
	Name: "slow-statement", Title: "a slow statement of SQL",
	Looks: "statements that take long for each call, and much of the time of typical requests or of what makes slow ones slow",
	Thresholds: []Threshold{
		{Name: "call", Value: slowRead, Reason: "ns for each call, without the round trip and 20 us for each row, of typical requests for the fastest tenth of its calls: a row that an index finds takes a tenth of it"},
		{Name: "away", Value: farAway, Reason: "ns: the round trip is the time of the quickest statement, and none in the program; it is taken for so much where no other statement shows it, of writes, which wait for the disk, and of slow requests"},
		{Name: "growth", Value: outgrows, Reason: "times: from typical to slow requests the statement grows so much more than the rest; where the machine is busy, all of a request grows"},
		{Name: "latency", Value: large, Reason: "less is often the work that the request is there for"},
	},
	Change: "EXPLAIN (ANALYZE, BUFFERS) shows where the database spends the time: a scan of the table wants an index, a sort or a count over all rows a bound. A statement that is slow now and then waits in the database for a lock or the disk.",
	Before: "SELECT ... FROM orders WHERE customer = $1 -- reads the whole table",
	After:  "CREATE INDEX CONCURRENTLY orders_customer ON orders (customer)",
	Find: func(v *View, r *Rule) []*found {
		away, slow := v.roundTrip(r.threshold("away")), r.threshold("call")
		all := v.onStatements(r, func(s *spentOn) bool {
			if s.one.Calls >= nPlusOne.threshold("calls") {
				return false
			}
			if s.measure == Tail {
				return s.outgrows >= r.threshold("growth") && s.perCall() >= slow+r.threshold("away")
			}
			return min(s.one.Quick, s.perCall()) >= slow+away(s)
		}, func(s *spentOn) (string, float64) {
			return fmt.Sprintf("one statement takes %s: %s", s.each(), brief(s.one.Text)), 1
		})
		for _, f := range all {
			if strings.HasSuffix(f.Title, ": "+commit) {
				f.Change, f.Before, f.After = commitChange, "for _, row := range rows { tx.Begin(); insert(row); tx.Commit() }", "tx.Begin(); for _, row := range rows { insert(row) }; tx.Commit()"
			}
		}
		return all
	},
}

// roundTrip says how many nanoseconds of a statement's calls are at most the way to the database and back, or a wait for the disk.
func (v *View) roundTrip(most float64) func(*spentOn) float64 {
	all := v.statements()
	return func(s *spentOn) float64 {
		if s.writes() {
			return most
		}
		if s.one.Inside {
			return 0
		}
		trip := most
		for _, o := range all {
			if o.one.Text != s.one.Text && o.one.Quick > 0 {
				trip = min(trip, o.one.Quick)
			}
		}
		return trip
	}
}

// reads are the words that statements begin with that change nothing, if none of writes follows.
var reads = []string{"SELECT", "WITH", "VALUES", "TABLE"}

// writes says that a statement may wait for the disk: also one that ends a transaction.
func (s *spentOn) writes() bool {
	words := strings.Fields(strings.ToUpper(s.one.Text))
	return len(words) == 0 || !slices.Contains(reads, words[0]) || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(writes, strings.Trim(w, "()")) })
}

// commit is the statement that ends a transaction.
const commit = "COMMIT"

const commitChange = "COMMIT waits until the disk has the log. Put writes that belong together into one transaction. Where the last moments may be lost in a crash of the machine, synchronous_commit = off (PostgreSQL) or journal_mode = WAL with synchronous = NORMAL (SQLite) waits less."

// spentOn is what requests spend on a statement.
type spentOn struct {
	measure Measure
	one     walltime.Statement
	share   float64 // of the measure
	// outgrows is how much more the statement grows from typical to slow requests than what else they do.
	outgrows float64
}

// perCall is the time of a call in nanoseconds, without waits for a processor.
func (s *spentOn) perCall() float64 { return (s.one.Nanos - s.one.Queued) / math.Max(1, s.one.Calls) }

func (s *spentOn) each() string { return units.Nanos(s.perCall()) }

func (s *spentOn) calls() string {
	if n := times(s.one.Calls); n != "1" {
		return n + " calls"
	}
	return "1 call"
}

// statements are those of the typical request, and those that slow ones spend more time on, the largest first.
func (v *View) statements() (all []spentOn) {
	if v.Waits == nil {
		return nil
	}
	typical, slow := v.Waits.Cohort(walltime.TypicalName), v.Waits.Cohort(walltime.SlowName)
	if typical == nil || typical.LatencyNanos <= 0 {
		return nil
	}
	type key struct {
		text, file string
		line       int
	}
	before := map[key]walltime.Statement{}
	for _, s := range typical.Statements {
		before[key{s.Text, s.File, s.Line}] = s
		all = append(all, spentOn{measure: Latency, one: s, share: typical.Share(&s)})
	}
	if slow == nil || slow.LatencyNanos <= 0 {
		return all
	}
	for _, s := range slow.Statements {
		old, more := before[key{s.Text, s.File, s.Line}], s
		more.Nanos, more.Queued = s.Nanos-old.Nanos, s.Queued-old.Queued
		rest := (slow.LatencyNanos - s.Nanos) / (typical.LatencyNanos - old.Nanos)
		all = append(all, spentOn{measure: Tail, one: s, share: slow.Share(&more), outgrows: s.Nanos / math.Max(1, old.Nanos) / math.Max(1, rest)})
	}
	return all
}

// onStatements makes findings of statements. say is the title, and which part of the time can go away.
func (v *View) onStatements(r *Rule, takes func(*spentOn) bool, say func(*spentOn) (title string, gain float64)) []*found {
	var all []*found
	known := map[Place]*found{}
	for _, s := range v.statements() {
		p := Place{Function: s.one.Function, File: s.one.File, Line: int64(s.one.Line)}
		if p.Function == "" || s.share < r.threshold("latency") || s.measure == Tail && s.share < leastTail || !takes(&s) {
			continue
		}
		title, gain := say(&s)
		if old := known[p]; old != nil {
			old.Evidence = append(old.Evidence, s.evidence())
			continue
		}
		known[p] = &found{Finding: Finding{
			Title: title, Place: p, Measure: s.measure, Cost: s.share, Gain: s.share * gain, Evidence: []Evidence{s.evidence()},
		}, stacks: v.inSQL(p.Function)}
		all = append(all, known[p])
	}
	return all
}

func (s *spentOn) evidence() Evidence {
	of := "the latency of a typical request"
	if s.measure == Tail {
		of = "the latency of a slow request, more than of a typical one"
	}
	return Evidence{Source: "wait", Text: fmt.Sprintf("%s of %s: %s, %s each: %s", percent(s.share), of, s.calls(), s.each(), s.one.Text)}
}

// inSQL are the stacks on which a function of the user's is in database/sql; nil for none.
func (v *View) inSQL(function string) (all []int) {
	for i := range v.stacks {
		s := &v.stacks[i]
		at := s.find(func(f *frame) bool { return f.pkg == "database/sql" })
		if at < 0 {
			continue
		}
		if own := s.own(at); own < len(s.frames) && s.frames[own].function == function && v.claimed[i] == nil {
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
	return digits(calls)
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
func (v *View) inStatement(w wait) bool {
	return strings.HasPrefix(w.own.Outer, "database/sql.") && (v.foundIn(w.own.Function, nPlusOne.Name) || v.foundIn(w.own.Function, slowStatement.Name))
}

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
	Looks: "statements that one request calls several times at one line, in loops or below them, and what they take of " +
		"its time; not writes in one transaction, which are a batch",
	Thresholds: append([]Threshold{
		{Name: "calls", Value: walltime.Repeated,
			Reason: "in one request, of the same statement at the same line; fewer are seldom of a loop over rows"},
	}, latencyThreshold...),
	Change: "Ask once for all rows: a join, WHERE id IN (...) or = ANY($1), and a map to put the answers to their rows. " +
		"Write many rows in one transaction, by one INSERT with several VALUES, or by COPY.",
	Before: "for _, o := range orders { db.QueryRow(\"SELECT name FROM users WHERE id = $1\", o.User) }",
	After:  "db.Query(\"SELECT id, name FROM users WHERE id = ANY($1)\", pq.Array(users))",
	Find: func(v *View, r *Rule) []*found {
		repeated := func(s *spentOn) bool { return s.calls >= r.threshold("calls") && !v.inBatch(s) }
		return v.onStatements(r, repeated, func(s *spentOn) (string, float64) {
			const title = "one statement is called %s times in one request%s (N+1): %s"
			return fmt.Sprintf(title, times(s.calls), s.ofEndpoint(" of "), brief(s.one.Text)), 1 - 1/s.calls
		})
	},
}

// writes are the words that statements begin with that change rows.
var writes = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "UPSERT"}

// inBatch says that a statement writes, and that requests with it commit less often than they call it: many rows go to
// the disk at once. Without a transaction each call waits for a commit of its own.
func (v *View) inBatch(s *spentOn) bool {
	word, _, _ := strings.Cut(s.one.Text, " ")
	if !slices.Contains(writes, strings.ToUpper(word)) {
		return false
	}
	return slices.ContainsFunc(v.statements(), func(o spentOn) bool {
		commits := o.sameRequests(s) && o.one.Text == commit && o.calls > 0 && o.callers >= s.callers-someCallers
		return commits && 2*o.calls < s.calls
	})
}

// someCallers is how much smaller the part of the requests with a COMMIT may be than that with the writes: one of
// them may lie outside of a trace.
const someCallers = 0.05

// batched says that a call of database/sql in a function is one of a batch.
func (v *View) batched(call, function string) bool {
	return strings.HasPrefix(call, "database/sql.") &&
		slices.ContainsFunc(v.statements(), func(s spentOn) bool { return s.one.Function == function && v.inBatch(&s) })
}

const (
	// slowRead is how many nanoseconds more than a round trip a slow call of a statement takes: a row that an index
	// finds takes a tenth of it.
	slowRead = 0.5e6
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
		{Name: "away", Value: farAway,
			Reason: "ns: the round trip is the time of the quickest statement, and none in the program; it is taken for so " +
				"much where no other statement shows it, of writes, which wait for the disk, and of slow requests"},
		{Name: "growth", Value: outgrows,
			Reason: "times: from typical to slow requests the statement grows so much more than the rest; where the machine " +
				"is busy, all of a request grows"},
		{Name: "latency", Value: large, Reason: "less is often the work that the request is there for"},
	},
	Change: "EXPLAIN (ANALYZE, BUFFERS) shows where the database spends the time: a scan of the table wants an index, a " +
		"sort or a count over all rows a bound. A statement that is slow now and then waits in the database for a lock or " +
		"the disk.",
	Before: "SELECT ... FROM orders WHERE customer = $1 -- reads the whole table",
	After:  "CREATE INDEX CONCURRENTLY orders_customer ON orders (customer)",
	Find: func(v *View, r *Rule) []*found {
		away, slow := v.roundTrip(r.threshold("away")), r.threshold("call")
		all := v.onStatements(r, func(s *spentOn) bool {
			if s.calls >= nPlusOne.threshold("calls") {
				return false
			}
			each := s.one.PerCall(s.one.Nanos - s.one.Queued)
			if s.measure == Tail {
				return s.outgrows >= r.threshold("growth") && each >= slow+r.threshold("away")
			}
			return min(s.one.Quick, each) >= slow+away(s)
		}, func(s *spentOn) (string, float64) {
			title := "one statement takes " + units.Nanos(s.each) + s.ofEndpoint(" in ")
			return title + ": " + brief(s.one.Text), 1
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
	return len(words) == 0 || !slices.Contains(reads, words[0]) ||
		slices.ContainsFunc(words, func(w string) bool { return slices.Contains(writes, strings.Trim(w, "()")) })
}

// commit is the statement that ends a transaction.
const commit = "COMMIT"

const commitChange = "COMMIT waits until the disk has the log. Put writes that belong together into one transaction. " +
	"Where the last moments may be lost in a crash of the machine, synchronous_commit = off (PostgreSQL) or " +
	"journal_mode = WAL with synchronous = NORMAL (SQLite) waits less."

// spentOn is what requests spend on a statement.
type spentOn struct {
	latencyOf
	one walltime.Statement
	// nanos is the time of a request that it takes, a mean of all of these requests; of slow ones, what it takes more
	// than in typical ones.
	nanos float64
	// callers is the part of these requests that call it, 0 to 1, all says that it is all of them; calls is how often
	// one of those does, each the time of a call in nanoseconds: in typical requests nanos is callers * calls * each.
	callers, calls, each float64
	all                  bool
	// eachTypical is the time of a call in typical requests, of a statement of slow ones.
	eachTypical float64
	// outgrows is how much more the statement grows from typical to slow requests than what else they do.
	outgrows float64
}

func (s *spentOn) share() float64 { return min(1, s.nanos/s.whole) }

// ofEndpoint is a word and the endpoint, where the load has several.
func (s *spentOn) ofEndpoint(word string) string {
	if s.endpoint == "" {
		return ""
	}
	return word + s.endpoint
}

// sameRequests says that two statements are of the same requests.
func (s *spentOn) sameRequests(o *spentOn) bool {
	return s.measure == o.measure && s.endpoint == o.endpoint
}

// spent is what the requests of a cohort spend on a statement.
func spent(o latencyOf, c *walltime.Cohort, s walltime.Statement) spentOn {
	o.unqueued, o.whole = c.Busy(), c.Whole()
	return spentOn{
		latencyOf: o, one: s, nanos: c.Part(&s), each: s.PerCall(c.Part(&s)),
		callers: c.Callers(&s), all: c.AllCall(&s), calls: c.CallsEach(&s),
	}
}

// statements are those of the typical requests, and those that slow ones spend more time on, the largest first; of
// each endpoint.
func (v *View) statements() (all []spentOn) {
	type key struct {
		text, file string
		line       int
	}
	for _, e := range v.endpoints() {
		before := map[key]spentOn{}
		for _, s := range e.Typical.Statements {
			one := spent(e.typical(), &e.Typical, s)
			before[key{s.Text, s.File, s.Line}] = one
			all = append(all, one)
		}
		if e.Slow.Whole() <= 0 {
			continue
		}
		for _, s := range e.Slow.Statements {
			old, one := before[key{s.Text, s.File, s.Line}], spent(e.slow(), &e.Slow, s)
			rest := (e.Slow.LatencyNanos - s.Nanos) / (e.Typical.LatencyNanos - old.one.Nanos)
			one.outgrows = s.Nanos / math.Max(1, old.one.Nanos) / math.Max(1, rest)
			typical := e.Slow.Part(&old.one)
			one.nanos, one.eachTypical = one.nanos-typical, old.one.PerCall(typical)
			all = append(all, one)
		}
	}
	return all
}

// onStatements makes findings of statements. say is the title, and which part of the time can go away.
func (v *View) onStatements(r *Rule, takes func(*spentOn) bool,
	say func(*spentOn) (title string, gain float64)) []*found {
	var all []*found
	known := map[Place]*found{}
	for _, s := range v.statements() {
		p := Place{Function: s.one.Function, File: s.one.File, Line: int64(s.one.Line)}
		small := s.share() < r.threshold("latency") || s.measure == Tail && s.share() < leastTail
		if p.Function == "" || small || !takes(&s) {
			continue
		}
		title, gain := say(&s)
		if old := known[p]; old != nil {
			old.Evidence = append(old.Evidence, s.evidence())
			continue
		}
		known[p] = &found{Finding: Finding{
			Title: title, Place: p, Measure: s.measure, Of: s.requests(), Whole: s.whole,
			Cost: s.share(), Gain: s.share() * gain,
			Evidence: []Evidence{s.evidence()},
		}, stacks: v.inSQL(p.Function)}
		all = append(all, known[p])
	}
	return all
}

// evidence says what a statement takes of which requests, how often they call it and how long a call takes.
func (s *spentOn) evidence() Evidence {
	calls := times(s.calls) + " calls"
	if times(s.calls) == "1" {
		calls = "1 call"
	}
	if !s.all {
		calls += fmt.Sprintf(" in each of the %s of these requests that call it", percent(s.callers))
	}
	each := units.Nanos(s.each) + " each"
	if s.measure == Tail && s.eachTypical > 0 {
		each += fmt.Sprintf(" (%s in a typical request)", units.Nanos(s.eachTypical))
	}
	return Evidence{Source: "wait", Text: fmt.Sprintf("%s: %s, %s: %s", s.amount(s.nanos), calls, each, s.one.Text)}
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
	return strings.HasPrefix(w.own.Outer, "database/sql.") &&
		(v.foundIn(w.own.Function, nPlusOne.Name) || v.foundIn(w.own.Function, slowStatement.Name))
}

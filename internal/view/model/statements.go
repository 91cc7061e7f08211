package model

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
)

// BothStatements is a statement of SQL in the typical request and in the slow one; a side is zero where it has none.
type BothStatements struct{ Typical, Slow walltime.Statement }

// either is the side that takes more.
func (b *BothStatements) either() *walltime.Statement {
	if b.Slow.Nanos > b.Typical.Nanos {
		return &b.Slow
	}
	return &b.Typical
}

// Text is the statement with the user's line.
func (b *BothStatements) Text() string { return statementPlace(b.either()) }

func statementPlace(s *walltime.Statement) string {
	if s.Function == "" {
		return s.Text
	}
	return fmt.Sprintf("%s  %s:%d", s.Text, path.Base(s.File), s.Line)
}

// mostStatements is how many statements a table has.
const mostStatements = 8

// LargestStatements are the statements that take PartShare of a request or more, the largest first.
func LargestStatements(typical, slow *walltime.Cohort) []BothStatements {
	type key struct {
		text, file string
		line       int
	}
	share := map[key]float64{}
	both := map[key]*BothStatements{}
	for i, c := range []*walltime.Cohort{typical, slow} {
		for _, s := range c.Statements {
			k := key{s.Text, s.File, s.Line}
			if both[k] == nil {
				both[k] = &BothStatements{}
			}
			if i == 0 {
				both[k].Typical = s
			} else {
				both[k].Slow = s
			}
			share[k] = max(share[k], c.Share(&s))
		}
	}
	var keys []key
	for k := range both {
		// What no request calls belongs to the request before it on its connection, whose end was not seen exactly.
		if called := both[k].Typical.Most + both[k].Slow.Most; called > 0 && share[k] >= PartShare {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(share[b], share[a]), cmp.Compare(a.text, b.text), cmp.Compare(a.file, b.file),
			cmp.Compare(a.line, b.line))
	})
	var all []BothStatements
	for _, k := range keys[:min(mostStatements, len(keys))] {
		all = append(all, *both[k])
	}
	return all
}

// CallsText says how often a request that calls a statement does so, and how many of the cohort's requests call it,
// where not all.
func CallsText(c *walltime.Cohort, s *walltime.Statement) string {
	if s.Most == 0 {
		return "-"
	}
	if c.AllCall(s) {
		return callsEach(c, s)
	}
	return fmt.Sprintf("%s in %.0f %%", callsEach(c, s), 100*c.Callers(s))
}

func callsEach(c *walltime.Cohort, s *walltime.Statement) string {
	each := c.CallsEach(s)
	if n := math.Round(each); n >= 10 || math.Abs(each-n) < 0.05 && n >= 1 {
		return units.Plural(int(n), "call")
	}
	return units.Digits(each) + " calls"
}

// saidStatement is the share of a latency from which on a sentence names a statement.
const saidStatement = 0.10

// saidEndpoints is how many endpoints SQLSentences speaks of, those of most time.
const saidEndpoints = 3

// SQLSentences say which statement of SQL takes most of the typical and of the slow requests, of each of the largest
// endpoints where the load has several, with the finding that counts its line; found may be nil.
func SQLSentences(d *walltime.Digest, typical, slow *walltime.Cohort, found *advice.Findings) (said []string) {
	if len(d.Endpoints) == 0 {
		return StatementSentences(typical, slow, found)
	}
	for i := range d.Endpoints[:min(saidEndpoints, len(d.Endpoints))] {
		e := &d.Endpoints[i]
		for _, text := range StatementSentences(&e.Typical, &e.Slow, found) {
			said = append(said, EndpointName(d, e)+": "+text)
		}
	}
	return said
}

// EndpointName is an endpoint with its part of the requests of a trace.
func EndpointName(d *walltime.Digest, e *walltime.Endpoint) string {
	return fmt.Sprintf("%s (%s of the requests)", e.Name, units.Share(float64(e.Requests)/float64(max(1, d.Requests))))
}

// StatementSentences say which statement takes most of a typical and of a slow request: one sentence where it is the
// same.
func StatementSentences(typical, slow *walltime.Cohort, found *advice.Findings) (said []string) {
	say := func(of string, c *walltime.Cohort, s *walltime.Statement) {
		text := fmt.Sprintf("%s: %s: %s in one request", of, s.Text, callsEach(c, s))
		if c.Repeats(s) {
			text += " (N+1)"
		}
		if !c.AllCall(s) {
			text += fmt.Sprintf(", of %.0f %% of the requests", 100*c.Callers(s))
		}
		if s.Function != "" {
			text += fmt.Sprintf(", %s:%d", path.Base(s.File), s.Line)
			if n := found.Of(code.Place{Function: s.Function, File: s.File, Line: int64(s.Line)}); n > 0 {
				text += fmt.Sprintf(" (finding %d)", n)
			}
		}
		said = append(said, text)
	}
	a, b := largestStatement(typical), largestStatement(slow)
	ofA, ofB := "", ""
	if a != nil {
		ofA = shareOf(typical, a, "p50")
	}
	if b != nil {
		ofB = shareOf(slow, b, fmt.Sprintf("p%g", slow.From))
	}
	switch {
	case a != nil && b != nil && a.Text == b.Text && a.File == b.File && a.Line == b.Line:
		if typical.Busy() && slow.Busy() {
			ofA = strings.TrimSuffix(ofA, withoutWaits)
		}
		say(ofA+" and "+ofB, slow, b)
	default:
		if a != nil {
			say(ofA, typical, a)
		}
		if b != nil {
			say(ofB, slow, b)
		}
	}
	return said
}

func shareOf(c *walltime.Cohort, s *walltime.Statement, name string) string {
	text := fmt.Sprintf("%.0f %% of %s", 100*c.Share(s), name)
	if c.Busy() {
		text += withoutWaits
	}
	return text
}

const withoutWaits = " without waits for a processor"

func largestStatement(c *walltime.Cohort) *walltime.Statement {
	if len(c.Statements) == 0 || c.Share(&c.Statements[0]) < saidStatement {
		return nil
	}
	return &c.Statements[0]
}

// Thresholds say which conditions of --fail-if held.
func Thresholds(results []recording.ThresholdResult) (all []Statement) {
	for _, limit := range results {
		word, tone := "passed", Good
		if limit.Failed {
			word, tone = "FAILED", Bad
		}
		all = append(all, Statement{Text: fmt.Sprintf("threshold %s: %s (measured: %s)", word, limit.Rule,
			limit.Measured), Tone: tone})
	}
	return all
}

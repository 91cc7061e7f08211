package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// keeps says what a variant keeps of each request that the other does not; empty where that was not shown. That heap
// is kept for good is said only where the source shows no end of it: a cache that still fills looks the same.
//
// B grows so far: 579 B of heap per request over 6,691 requests a start, A none; a cache of more than that looks the
// same
//
//	B keeps 579 B of heap per request, A none
//	B keeps 1 goroutines per request, A none
func keeps(c record.Contest) string {
	var parts []string
	for _, v := range c.Verdicts {
		if !measure.OfGrowth(v.Measure) || !v.Word.Different() && !tooFewToSay(v) {
			continue
		}
		who, other, less, more := Letter(c.B), Letter(c.A), v.A, v.B
		if less > more {
			who, other, less, more = other, who, more, less
		}
		u := units.FamilyOf(v.Measure.Unit).Pick(more)
		amount := func(x float64) string { return strings.TrimSpace(units.Digits(x/u.Scale) + " " + u.Name) }
		what, than := cmp.Or(u.Name, v.Measure.Unit), "none"
		if less > v.Measure.Floor {
			than = amount(less)
		}
		part := fmt.Sprintf("%s keeps %s %s per request, %s %s", who, units.Digits(more/u.Scale), what, other, than)
		if v.Measure.Key == measure.HeapGrowth.Key {
			part = heapKept(c, who, amount(more), other+" "+than)
		}
		if !v.Word.Different() {
			part += fmt.Sprintf(" (%s, too few to be sure)", Starts(v.Starts))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// tooFewToSay says that one side keeps something of each request and the other nothing, in fewer starts than a
// verdict takes.
func tooFewToSay(v judge.Verdict) bool {
	return v.Word == judge.Undecided && v.First == nil && !v.Indicative && !v.Bounded() && v.Starts > 1 &&
		min(v.A, v.B) <= v.Measure.Floor && max(v.A, v.B) > v.Measure.Floor
}

func heapKept(c record.Contest, who, amount, than string) string {
	if growsWithoutEnd(c, who) {
		return fmt.Sprintf("%s keeps %s of heap per request, %s", who, amount, than)
	}
	if c.RequestsPerStart == 0 { // in a document of an earlier hone
		return fmt.Sprintf("%s grows so far: %s of heap per request, %s", who, amount, than)
	}
	return fmt.Sprintf("%s grows so far: %s of heap per request over %s requests a start, %s; a cache of more than that "+
		"looks the same",
		who, amount, units.Count(c.RequestsPerStart), than)
}

// growsWithoutEnd says that a finding of the variant shows no end of what it keeps.
func growsWithoutEnd(c record.Contest, who string) bool {
	word := advice.New
	if who == Letter(c.A) {
		word = advice.Gone
	}
	return slices.ContainsFunc(c.Findings, func(f advice.Change) bool {
		return f.Measure == advice.Growing &&
			f.Word == word && f.Endless
	})
}

// growsSoFar says that a contest shows growth of which it is not known whether it ends.
func growsSoFar(c record.Contest) bool {
	v, ok := verdictOn(c, measure.HeapGrowth.Key)
	if !ok || !v.Word.Different() {
		return false
	}
	who := Letter(c.B)
	if v.Word == judge.Faster {
		who = Letter(c.A)
	}
	return !growsWithoutEnd(c, who)
}

// addsUp says that the change of a measure is a sum and no ratio: one side has nothing of what is kept.
func addsUp(v judge.Verdict) bool {
	return measure.OfGrowth(v.Measure) && v.Word.Different() && min(v.A, v.B) <= v.Measure.Floor
}

// changeOf is the change of a measure, as a number where one side has nothing: "+1.17 kB".
func changeOf(v judge.Verdict) string {
	if !addsUp(v) {
		return units.Percent(v.Ratio - 1)
	}
	a := max(v.A, v.Measure.Floor)
	u := units.FamilyOf(v.Measure.Unit).Pick(a * (v.Ratio - 1))
	return strings.TrimSpace(signedDigits(a*(v.Ratio-1)/u.Scale) + " " + u.Name)
}

// intervalOf is the interval of a change, in the unit of changeOf: "+1.10 ... +1.24 kB".
func intervalOf(v judge.Verdict, none string) string {
	if !addsUp(v) || !bounded(v) {
		return Span(v, none)
	}
	a := max(v.A, v.Measure.Floor)
	u := units.FamilyOf(v.Measure.Unit).Pick(a * (v.Ratio - 1))
	return strings.TrimSpace(fmt.Sprintf("%s ... %s %s", signedDigits(a*(v.Low-1)/u.Scale),
		signedDigits(a*(v.High-1)/u.Scale), u.Name))
}

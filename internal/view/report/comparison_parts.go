package report

import (
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
)

// The parts of a stored comparison's text, as ShowComparison writes them, for pages that put them elsewhere.

// VariantSource says in brackets which commit and toolchain a run was built from, and what its name is.
func VariantSource(r lab.Record) string { return strings.TrimSpace(source(r.Head)) }

// NoVerdict says that a comparison has no verdict, and what is known of its runs.
func NoVerdict(c *lab.ComparisonRecord, runs []lab.Record) (said string, notes []string) {
	said, notes = noVerdictFor(c, runs, full)
	b := &strings.Builder{}
	accounts(b, runs, full)
	outputs(b, runs, full)
	notes = append(notes, linesOf(b)...)
	return said, append(notes, nonEmpty(kept(runs))...)
}

// CheckNotes are the lines below the check of a comparison.
func CheckNotes(c *lab.ComparisonRecord, runs []lab.Record) []string {
	b := &strings.Builder{}
	checkNotes(b, c, runs, full)
	return linesOf(b)
}

// AnswerLines say of each variant whether it answers as A does.
func AnswerLines(c *lab.ComparisonRecord, runs []lab.Record) []string { return answers(c, runs) }

// WhyLines explain the verdict of a contest.
func WhyLines(contest lab.Contest) []string {
	v, _ := gated(contest)
	return whyLines(contest, v)
}

// CaveatTexts say what else changed from A to B, so that a variant may not plainly be faster.
func CaveatTexts(contest lab.Contest) []string { return caveatTexts(contest, full) }

// RanIn says in which directories the variants ran; empty where that is not known.
func RanIn(runs []lab.Record) string { return places(runs) }

// Indicative says that verdicts are of variants that were not taken together.
func Indicative(c *lab.ComparisonRecord) bool { return indicative(c) }

// Gated is the verdict that the word of a contest is of.
func Gated(contest lab.Contest) (compare.Verdict, bool) { return lead(contest) }

func linesOf(b *strings.Builder) []string {
	return nonEmpty(strings.Split(b.String(), "\n")...)
}

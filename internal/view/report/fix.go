package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Fix writes what became of each finding that has a rewrite, and the branch of those that were kept.
func Fix(w io.Writer, f *tuning.Fix) error {
	f = printable.Document(f)
	b := &strings.Builder{}
	of := "run " + f.Run
	if f.Run == "" {
		of = "benchmarks " + f.Benchmarks
	}
	fmt.Fprintf(b, "%s: %s with a rewrite, %d without\n", of, units.Plural(len(f.Tried), "finding"), f.Without)
	if few := f.FewSamples; len(few) > 0 {
		fmt.Fprintf(b, "too few samples for findings in %s: %s\n", units.Plural(len(few), "profile"),
			strings.Join(few, ", "))
	}
	for _, r := range f.Tried {
		fmt.Fprintf(b, "\n%d. %s, %s: %s\n", r.Number, r.Rule, r.Place, r.Does)
		fmt.Fprintf(b, "   %s\n", outcomeOf(r, f.Planned))
		if r.Commit != "" {
			fmt.Fprintf(b, "   kept: commit %.12s; %s\n", r.Commit, Checked(r))
		}
		for _, note := range r.Notes {
			fmt.Fprintf(b, "   note: %s\n", note)
		}
		if r.Comparison != "" {
			fmt.Fprintf(b, "   hone show %s\n", r.Comparison)
		}
	}
	if f.Stopped != "" {
		fmt.Fprintf(b, "\nstopped: %s\n", f.Stopped)
	}
	kept := len(f.Kept())
	switch {
	case f.Planned && len(f.Tried) == 0 && f.Run == "":
		fmt.Fprintln(b, "\nnothing to try: no finding of these benchmarks has a rewrite")
	case f.Planned && len(f.Tried) == 0:
		fmt.Fprintf(b, "\nnothing to try: hone advise %s says what to change by hand\n", f.Run)
	case f.Planned:
		fmt.Fprintln(b, "\nnothing was measured, and nothing is written")
	case kept == 0:
		fmt.Fprintln(b, "\nno branch was made")
	default:
		fmt.Fprintf(b, "\nbranch %s: %s on top of %.12s; your files are as they were\n", f.Branch,
			units.Plural(kept, "commit"), f.Base)
		fmt.Fprintf(b, "next: git log -p %.12s..%s\n", f.Base, f.Branch)
	}
	return write(w, b)
}

// outcomeOf is one line on what became of a rewrite.
func outcomeOf(r *tuning.Rewritten, planned bool) string {
	switch {
	case r.Refused != "":
		return "not tried: " + printable.Indented(r.Refused)
	case planned:
		return "would be tried"
	}
	return rewrittenSentence(r)
}

// Gain is what a rewrite changed of its measure, with the interval.
func Gain(r *tuning.Rewritten) string {
	if r.Decides == nil {
		return "not known"
	}
	return changeOf(r)
}

// Checked says what a rewrite passed before it was measured, and how many answers were compared.
func Checked(r *tuning.Rewritten) string {
	tests := "the tests of the package pass with it"
	if !r.Tested {
		tests = "not tested: " + r.NotTested
	}
	text := "it builds, go vet has no new objection, " + tests
	if r.Compared > 0 {
		text += fmt.Sprintf(", %s compared and the same", units.Plural(r.Compared, "answer"))
	}
	return text
}

// FixMarkdown writes the body of a pull request: the commits with their gains, what was checked, and the commands that
// measure them again. Nothing in it is taken for markup.
func FixMarkdown(w io.Writer, f *tuning.Fix) error {
	f = printable.Document(f)
	d := &comment{rest: "\nThe rest is in the messages of the commits.\n"}
	kept := f.Kept()
	d.add("Each commit is a change that hone made mechanically from a finding of a profile, tested, and measured against "+
		"the commit before it. %s.\n", units.Plural(len(kept), "commit"))
	rows := &strings.Builder{}
	for _, r := range kept {
		fmt.Fprintf(rows, "| `%.12s` | %s | %s | %s |\n", plainWord(r.Commit), inText(r.Place), inText(r.Does), inText(Gain(r)))
	}
	if len(kept) > 0 {
		d.add("\n| commit | place | change | gain |\n|---|---|---|---|\n%s", rows)
	}
	for _, r := range kept {
		section := &strings.Builder{}
		fmt.Fprintf(section, "\n**%.12s**: %s\n\n- Checked: %s\n", plainWord(r.Commit), inText(r.Title), inText(Checked(r)))
		for _, note := range r.Notes {
			fmt.Fprintf(section, "- Note: %s\n", inText(note))
		}
		if r.Repeat != "" {
			fmt.Fprintf(section, "- Measure it again: <code>%s</code>\n", inText(r.Repeat))
		}
		d.add("%s", section)
	}
	others := &strings.Builder{}
	for _, r := range f.Tried {
		if r.Commit == "" {
			fmt.Fprintf(others, "- %s, %s: %s\n", inText(r.Rule), inText(r.Place), inText(outcomeOf(r, f.Planned)))
		}
	}
	if others.Len() > 0 {
		d.add("\nTried, and left out:\n\n%s", others)
	}
	_, err := io.WriteString(w, d.String())
	return err
}

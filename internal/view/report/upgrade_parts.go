package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/units"
)

// upgradeParts says which parts of a release carry the differences in the table:
//
//	go1.25.5 -> go1.27.1 on all of the machine: CPU per request +6.1 % (+5.2 ... +7.0 %):
//	greenteagc +4.8 % (+3.9 ... +5.6 %), rest +1.3 %
func upgradeParts(b *strings.Builder, u *tuning.Upgrade) {
	does := map[string]string{}
	for _, box := range u.Boxes {
		for _, row := range box.Rows {
			dividedLines(b, row.Parts, inBox(box.Limits), does)
		}
	}
	for _, row := range u.Benchmarks {
		dividedLines(b, row.Parts, row.Name, does)
	}
	for _, name := range slices.Sorted(maps.Keys(does)) {
		fmt.Fprintf(b, "%s: %s\n", name, does[name])
	}
}

// dividedLines has a line for each measure that was divided, of a program in a box or of a benchmark. does receives
// what the parts are that carry something, and how to do without them.
func dividedLines(b *strings.Builder, p *tuning.UpgradeParts, of string, does map[string]string) {
	if p == nil {
		return
	}
	head := fmt.Sprintf("%s -> %s %s", p.From, p.To, of)
	for _, d := range p.Measures {
		fmt.Fprintf(b, "%s: %s\n", head, dividedWords(d))
		for _, part := range d.Parts {
			if part.Cost.Shown {
				does[part.Name] = part.Does + "; off with " + strings.Join(part.Off, " ")
			}
		}
	}
	if len(p.Measures) == 0 {
		fmt.Fprintf(b, "%s: which part of the release it is, is not known: %s\n", head,
			cmp.Or(p.Failure, "no part of it that can be switched off changes this program"))
	}
	for _, s := range p.Skipped {
		if len(p.Measures) > 0 && strings.HasPrefix(s.Reason, "the toolchain") {
			fmt.Fprintf(b, "note: %s of %s is not tried: %s\n", s.Name, p.To, s.Reason)
		}
	}
}

// dividedWords are the parts of a change, and those that may be nothing.
func dividedWords(d tuning.Divided) string {
	var shown, open []string
	for _, p := range d.Parts {
		text := p.Name + " " + units.Percent(p.Cost.Share) + " (" + units.Span(p.Cost.Low, p.Cost.High) + ")"
		if p.Cost.Shown {
			shown = append(shown, text)
		} else {
			open = append(open, p.Name+" ("+units.Span(p.Cost.Low, p.Cost.High)+")")
		}
	}
	shown = append(shown, "rest "+units.Percent(d.Rest))
	text := fmt.Sprintf("%s %s (%s): %s", d.Measure, units.Percent(d.Change.Share),
		units.Span(d.Change.Low, d.Change.High), strings.Join(shown, ", "))
	if len(open) > 0 {
		text += "; no effect shown: " + strings.Join(open, ", ")
	}
	return text
}

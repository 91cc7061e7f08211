package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Once writes what executions of a program took: the check first, then the numbers, then what was found; nil where it
// was not looked for.
func Once(w io.Writer, r record.Executions, found *advice.Findings) error {
	r, found = printable.Document(r), printable.Document(found)
	b := &strings.Builder{}
	m := model.ExecutionsOf(r, found)
	fmt.Fprintf(b, "%s%s\nunder: %s\n%s\n", m.Title, m.Source, m.Under[0], m.Check)
	say(b, m.Check.Notes)
	onceNumbers(b, r)
	writeRows(b, m.Besides)
	writeFound(b, m.Hot, found, r.Head)
	b.WriteString("next: ")
	if len(r.Profiles) > 0 {
		fmt.Fprintf(b, "%s, %s (whose garbage it is),\n      ", r.Command.Stored("profile", "top", r.ID),
			r.Command.Stored("profile", "blame", r.ID))
	}
	fmt.Fprintf(b, "%s (what it wrote), or hone compare --once with another\n", r.Command.Stored("show", r.ID))
	return write(w, b)
}

// onceNumbers are the facts: of the executions that did not fail or, where all did, of the
// last one.
func onceNumbers(b *strings.Builder, r record.Executions) {
	f, of := model.OnceFacts(r)
	if f == nil {
		return
	}
	if of != "" {
		of = "  (" + of + ")"
	}
	fmt.Fprintf(b, "%s%s\n", model.FactsLine(*f), of)
	if f.Executions > 1 {
		spreads(b, *f)
	}
	more := model.OnceMore(*f, r)
	for i, one := range more {
		switch {
		case i == 0:
		case one.Name == "wrote":
			b.WriteByte('\n')
		default:
			b.WriteString("; ")
		}
		colon := ": "
		if one.Name == "CPU" || one.Name == "wrote" {
			colon = " "
		}
		b.WriteString(one.Name + colon + one.Text)
	}
	b.WriteByte('\n')
}

// spreads is a table of how the executions scatter.
func spreads(b *strings.Builder, f record.ExecutionFacts) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "measure\tmedian\tinterval\tleast ... most")
	for _, row := range model.SpreadRows(f) {
		fmt.Fprintln(tw, strings.Join(row[:], "\t"))
	}
	tw.Flush()
}

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// write hands over a report that is finished.
func write(w io.Writer, b *strings.Builder) error {
	_, err := io.WriteString(w, b.String())
	return err
}

// leftColumns and rightColumns are tables; writing them to a strings.Builder does not fail.
func leftColumns(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }
func rightColumns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// columns writes rows with their names in a column.
func columns(b *strings.Builder, rows []model.Row) {
	tw := leftColumns(b)
	for _, r := range rows {
		fmt.Fprintf(tw, "%s\t%s\n", r.Name, r)
	}
	tw.Flush()
}

// width is how wide a report gets, in columns.
const width = 100

// wrapped writes parts after a label, as one line or, where that gets too long, with further ones below the first part.
func wrapped(b *strings.Builder, label, between string, parts []string) {
	wrap(b, label, min(len(label), 10), between, parts)
}

// folded writes a text as wrapped does: it breaks after commas.
func folded(b *strings.Builder, text string) { wrap(b, "", 10, ", ", strings.Split(text, ", ")) }

func wrap(b *strings.Builder, label string, indent int, between string, parts []string) {
	line := label
	for i, part := range parts {
		if i < len(parts)-1 {
			part += between
		}
		if i > 0 && len(line)+len(strings.TrimRight(part, " ")) > width {
			fmt.Fprintln(b, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", indent)
		}
		line += part
	}
	fmt.Fprintln(b, line)
}

// plural writes a count with its noun.
func plural(n int, noun string) string { return units.Plural(n, noun) }

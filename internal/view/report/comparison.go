package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Comparison writes a comparison of two or more variants: under which conditions, what
// became of each and of the gates, the measurement check, why, all measures, and the next
// command. A bad measurement is said before any number.
func Comparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	return writeComparison(w, model.ComparisonOf(printable.Document(c), printable.Document(runs), model.Brief))
}

// ShowComparison writes a stored comparison with all that is known of it.
func ShowComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	return writeComparison(w, model.ComparisonOf(printable.Document(c), printable.Document(runs), model.Full))
}

// OnceComparison writes a comparison of executions.
func OnceComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.OnceRecord) error {
	return writeComparison(w, model.OnceComparisonOf(printable.Document(c), printable.Document(runs)))
}

// writeComparison writes a comparison. If there is no verdict, it begins with the reason, and ends with what was kept.
func writeComparison(w io.Writer, m *model.Comparison) error {
	b := &strings.Builder{}
	if m.Compared {
		variants(b, m)
		say(b, m.Indicative, m.Verdicts)
		fmt.Fprintln(b, m.Stopped)
		for _, g := range m.Gates {
			fmt.Fprintln(b, g)
		}
		say(b, m.Open, m.Limits, m.Answers, []model.Statement{m.Check}, m.Doubts, m.Notes)
		for _, line := range m.Why() {
			fmt.Fprintln(b, line)
		}
		tables(b, m)
	} else {
		say(b, m.Verdicts, m.Doubts)
		variants(b, m)
		say(b, m.Notes)
	}
	for _, side := range m.Sides {
		fmt.Fprintln(b, side)
	}
	var commands []string
	for _, command := range m.Commands {
		commands = append(commands, fmt.Sprintf("%s (%s)", command.Line, command.What))
	}
	wrapped(b, "next: ", ", ", commands)
	return write(w, b)
}

// say writes statements, a line each.
func say(b *strings.Builder, all ...[]model.Statement) {
	for _, statements := range all {
		for _, s := range statements {
			fmt.Fprintln(b, s)
		}
	}
}

// variants names what was compared and under which conditions.
func variants(b *strings.Builder, m *model.Comparison) {
	for _, v := range m.Variants {
		fmt.Fprintf(b, "%s: %s  %s\n", v.Letter, v.Label, v.Source)
	}
	if m.RanIn != "" {
		fmt.Fprintln(b, m.RanIn)
	}
	if len(m.Under) > 0 {
		wrapped(b, "under: ", "; ", m.Under)
	}
	say(b, m.Assumed)
}

// tables writes all measures of every contest, a table each.
func tables(b *strings.Builder, m *model.Comparison) {
	for _, contest := range m.Contests {
		if len(contest.Measures) == 0 {
			continue
		}
		if len(m.Contests) > 1 {
			fmt.Fprintf(b, "%s against %s\n", m.Name(contest.B), m.Name(contest.A))
		}
		tw := leftColumns(b)
		fmt.Fprintf(tw, "measure\tunit\t%s\t%s\tchange\tinterval\t%s is\n", model.Letter(contest.A), model.Letter(contest.B), model.Letter(contest.B))
		for _, row := range contest.Measures {
			fmt.Fprintln(tw, strings.Join(row.Cells.All(), "\t"))
		}
		tw.Flush()
	}
}

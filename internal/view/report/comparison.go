package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Comparison writes a comparison of two or more variants: what became of each and of the gates, whether the measurement
// can be trusted, why, and the next command; in full also the conditions and all measures. A bad measurement is said
// before any number.
func Comparison(w io.Writer, c *record.Comparison, runs []record.Run, d model.Detail) error {
	return writeComparison(w, model.ComparisonOf(printable.Document(c), printable.Document(runs), d), d)
}

// OnceComparison writes a comparison of executions.
func OnceComparison(w io.Writer, c *record.Comparison, runs []record.Executions, d model.Detail) error {
	return writeComparison(w, model.OnceComparisonOf(printable.Document(c), printable.Document(runs), d), d)
}

func writeComparison(w io.Writer, m *model.Comparison, d model.Detail) error {
	b := &strings.Builder{}
	if d == model.Brief {
		briefComparison(b, m)
		return writeNarrow(w, b)
	}
	fullComparison(b, m)
	return write(w, b)
}

// fullComparison prints the verdicts, the measures and the next commands. Without a comparison, the reason for that
// comes first.
func fullComparison(b *strings.Builder, m *model.Comparison) {
	if m.Compared {
		variants(b, m)
		say(b, m.Indicative)
		writeGates(b, m.Gates)
		say(b, m.Verdicts)
		fmt.Fprintln(b, m.Stopped)
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
}

// writeGates writes what became of the gates, the sum first: the exit code is theirs, whatever the verdicts are.
func writeGates(b *strings.Builder, gates []model.GateLine) {
	if len(gates) > 1 {
		fmt.Fprintln(b, model.GatesInAll(gates))
	}
	for _, g := range gates {
		fmt.Fprintln(b, g)
	}
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
		fmt.Fprintf(tw, "measure\tunit\t%s\t%s\tchange\tinterval\t%s is\n", model.Letter(contest.A),
			model.Letter(contest.B), model.Letter(contest.B))
		for _, row := range contest.Measures {
			fmt.Fprintln(tw, strings.Join(row.Cells.All(), "\t"))
		}
		tw.Flush()
		if contest.Shared != "" {
			fmt.Fprintln(b, contest.Shared)
		}
	}
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gohone/hone/bench/figures"
)

// print prints a table for people.
func (c *contest) print(w io.Writer) error {
	fmt.Fprintf(w, "\n%s: %s\n%s; ratios are to %s\n\n", c.Name, c.Measure, c.Setting, c.Reference)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := append([]string{"server", "version", c.Unit + " (least .. greatest)", fmt.Sprintf("ratio (%.0f %%)", figures.Confidence*100)}, c.beside...)
	fmt.Fprintln(t, strings.Join(append(head, ""), "\t"))
	for _, e := range c.Entrants {
		fmt.Fprintln(t, strings.Join(e.cells(len(head)), "\t"))
	}
	if len(c.Goals) > 0 {
		fmt.Fprintln(t)
	}
	for _, g := range c.Goals {
		shown := g.Estimate.String()
		if g.Missing != "" {
			shown = "-"
		}
		fmt.Fprintf(t, "goal\t%s: %s\t%s\t%s\t\n", g.Text, g.relation(), shown, g.verdict())
	}
	return t.Flush()
}

// cells are e's row of a table whose columns n have a head; the last has none.
func (e *entrant) cells(n int) []string {
	cells := make([]string, n+1)
	if e.Fault != "" {
		copy(cells, []string{e.Name, e.Version, "failed"})
		cells[n], _, _ = strings.Cut(e.Fault, "\n")
		return cells
	}
	value := fmt.Sprintf("%s (%s .. %s)", digits(e.Median), digits(slices.Min(e.Values)), digits(slices.Max(e.Values)))
	if e.Over {
		value = "over " + value
	}
	copy(cells, []string{e.Name, e.Version, value, e.Ratio.String()})
	for i, b := range e.Beside {
		cells[4+i] = digits(b.Median)
	}
	cells[n] = e.Note
	return cells
}

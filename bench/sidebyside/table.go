package sidebyside

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// show makes a table and the claims of a contest.
func (c *contest) show(r *bed.Result) *bed.Table {
	head := append([]string{"server", "version", c.Unit, "ratio"}, c.beside...)
	t := r.Table(fmt.Sprintf("%s: %s, %s; ratios are to %s", c.Name, c.Measure, c.Setting, c.Reference),
		append(head, "note")...)
	for _, e := range c.Entrants {
		t.Row(e.cells(len(head))...)
	}
	for _, g := range c.Goals {
		shown := g.Estimate.String()
		switch {
		case g.Missing != "":
			shown = g.Missing
		case !g.Sure:
			shown += ", not for sure"
		}
		if claim := r.Claim(c.Name+": "+g.Text, "%s", shown); g.Missing == "" {
			claim.Want(g.relation(), g.Met)
		}
	}
	return t
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

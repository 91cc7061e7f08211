package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

// result is what a contest came to.
type result struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Measure string `json:"measure"`
	Unit    string `json:"unit"`
	Setting string `json:"setting"`
	Rounds  int    `json:"rounds"` // that the reference was measured in
	// Reference is what ratios are to.
	Reference string  `json:"reference"`
	Entrants  []entry `json:"entrants"`
	Goals     []goal  `json:"goals"`
	// Conditions are those of the machine while its kind was measured.
	Conditions machine.Disturbance `json:"conditions"`
}

// entry is one entrant of a result.
type entry struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Note    string `json:"note,omitempty"`
	// Fault says why there are no figures.
	Fault  string    `json:"fault,omitempty"`
	Values []float64 `json:"values,omitempty"` // by round
	Median float64   `json:"median,omitempty"`
	// Over says that it took more: it was stopped at its bound.
	Over bool `json:"over,omitempty"`
	// Ratio is to the reference, within the rounds; 1 for itself.
	Ratio  *estimate `json:"ratio,omitempty"`
	Beside []beside  `json:"beside,omitempty"`
}

// beside is another figure of an entrant.
type beside struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"` // by round
	Median float64   `json:"median"`
}

// result computes what c came to.
func (c *contest) result(kind string) (*result, error) {
	reference := c.entrants[0]
	r := &result{
		Kind: kind, Name: c.name, Measure: c.measure, Unit: c.unit, Setting: c.setting,
		Rounds: len(reference.samples), Reference: reference.name,
	}
	if r.Rounds == 0 {
		return nil, errNoSample
	}
	for _, e := range c.entrants {
		entry, err := c.entry(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		r.Entrants = append(r.Entrants, entry)
	}
	r.Goals = c.goals(c)
	for i := range r.Goals {
		if err := r.Goals[i].judge(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (c *contest) entry(e *entrant) (entry, error) {
	y := entry{Name: e.name, Version: e.version, Note: e.note}
	if e.fault != nil {
		y.Fault = e.fault.Error()
		return y, nil
	}
	y.Values, y.Over = e.values(), e.over()
	y.Median = side.Median(y.Values)
	ratio, err := estimateOf(ratios(y.Values, c.entrants[0].values()))
	if err != nil {
		return y, err
	}
	y.Ratio = &ratio
	for i, name := range c.beside {
		var x []float64
		for _, s := range e.samples {
			x = append(x, s.beside[i])
		}
		y.Beside = append(y.Beside, beside{Name: name, Values: x, Median: side.Median(x)})
	}
	return y, nil
}

// print prints a table for people.
func (r *result) print(w io.Writer) error {
	fmt.Fprintf(w, "\n%s: %s\n%s; ratios are to %s\n\n", r.Name, r.Measure, r.Setting, r.Reference)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := []string{"server", "version", r.Unit + " (least .. greatest)", fmt.Sprintf("ratio (%.0f %%)", confidence*100)}
	for _, b := range r.Entrants[0].Beside {
		head = append(head, b.Name)
	}
	fmt.Fprintln(t, strings.Join(append(head, ""), "\t"))
	for _, e := range r.Entrants {
		fmt.Fprintln(t, strings.Join(e.cells(len(head)), "\t"))
	}
	if len(r.Goals) > 0 {
		fmt.Fprintln(t)
	}
	for _, g := range r.Goals {
		fmt.Fprintf(t, "goal\t%s: %s\t%s\t%s\t\n", g.Text, g.relation(), g.shown(), g.verdict())
	}
	return t.Flush()
}

// cells are e's row of a table whose columns n have a head; the last has none.
func (e entry) cells(n int) []string {
	if e.Fault != "" {
		cells := make([]string, n+1)
		first, _, _ := strings.Cut(e.Fault, "\n")
		copy(cells, []string{e.Name, e.Version, "failed"})
		cells[n] = first
		return cells
	}
	value := spread(e.Values)
	if e.Over {
		value = "over " + value
	}
	cells := []string{e.Name, e.Version, value, e.Ratio.String()}
	for _, b := range e.Beside {
		cells = append(cells, digits(b.Median))
	}
	return append(cells, e.Note)
}

// spread is the median with the least and the greatest.
func spread(x []float64) string {
	least, greatest := x[0], x[0]
	for _, v := range x {
		least, greatest = min(least, v), max(greatest, v)
	}
	return fmt.Sprintf("%s (%s .. %s)", digits(side.Median(x)), digits(least), digits(greatest))
}

// shown is the estimate of a goal, if it was judged.
func (g goal) shown() string {
	if g.Missing != "" {
		return "-"
	}
	return g.Estimate.String()
}

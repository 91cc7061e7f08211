package diff

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/svg"
	"github.com/gohone/hone/prof/symbol"
)

// WriteText writes both totals, how much of the change is explained, and a line for each
// place and function that changed, at most most of them of each kind if most is over 0;
// what is within the noise is only counted.
func (d *Diff) WriteText(w io.Writer, most int) error {
	fmt.Fprintf(w, "%s%s: A %s, B %s (%s, 95 %% interval %s ... %s)\n", d.SampleType, d.Basis.Per(),
		d.values.Number(d.A.Total), d.values.Number(d.B.Total), units.Percent(d.Whole.Share/100),
		units.Signed(d.percent(d.Whole.Low)), units.Percent(d.percent(d.Whole.High)/100))
	fmt.Fprintln(w, d.account())
	switch {
	case d.Kind == prof.WaitKind:
		fmt.Fprintln(w,
			"note: each side is one short trace: the intervals do not have the scatter between traces, which is large for "+
				"time in queues")
	case min(d.A.Captures, d.B.Captures) < 2:
		fmt.Fprintln(w, "note: one capture of a side shows no noise but that of sampling: small changes may be none")
	}
	for _, t := range []diffTable{d.placeTable(), d.cumTable(), d.selfTable()} {
		if err := t.write(w, most); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("%d more functions: no change of their own beyond the noise\n", len(d.Rows)-len(d.Changed()))
	if len(d.Changed()) == 0 {
		text = fmt.Sprintf("no function by itself changed beyond the noise, of %d\n", len(d.Rows))
	}
	_, err := io.WriteString(w, text)
	return err
}

// percent is a cost as a share of the whole.
func (d *Diff) percent(x float64) float64 { return percentOf(x, d.A, d.B) }

// percentOf is a cost in percent of A's total, or of B's if A costs nothing; 0 if neither costs anything, as two
// profiles of locks that nothing waited for.
func percentOf(cost float64, a, b Side) float64 {
	total := a.Total
	if total == 0 {
		total = b.Total
	}
	if total == 0 {
		return 0
	}
	return 100 * cost / total
}

// account says how much of the change of the whole the changes below explain.
func (d *Diff) account() string {
	beyond := ""
	if d.Whole.Word == Same {
		beyond = " (the whole did not change beyond the noise)"
	}
	rest := "0 %"
	if math.Abs(d.Unexplained) >= 0.005 {
		rest = units.Percent(d.Unexplained / 100)
	}
	return fmt.Sprintf("explained: %s of %s; not explained: %s%s", units.Signed(d.Explained),
		units.Percent(d.Whole.Share/100), rest, beyond)
}

// diffTable is a list of changes with what they are of.
type diffTable struct {
	title, head string
	lines       []string
}

func (t diffTable) write(w io.Writer, most int) error {
	if len(t.lines) == 0 {
		return nil
	}
	lines := t.lines
	fmt.Fprintf(w, "\n%s:\n", t.title)
	if most > 0 && most < len(lines) {
		fmt.Fprintf(w, "the largest %d of %d changes:\n", most, len(lines))
		lines = lines[:most]
	}
	table := prof.Columns(w)
	fmt.Fprint(table, t.head)
	for _, line := range lines {
		fmt.Fprint(table, line)
	}
	return table.Flush()
}

const diffHead = "change\tof A's total\t95 % interval\tA\tB\t\t\n"

// line writes a change and what it is of.
func (d *Diff) line(c Difference, of string) string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", d.signed(c.Delta), units.Percent(c.Share/100),
		d.signed(c.Low)+" ... "+d.signed(c.High), d.values.Number(c.A), d.values.Number(c.B), c.Word, of)
}

// placeTable has the places of the user's code that changed, each function before its
// parts.
func (d *Diff) placeTable() diffTable {
	t := diffTable{title: "your code, with what it calls in libraries; and the runtime's own work", head: diffHead}
	for _, p := range d.Places {
		if p.Word == Same || p.Part && d.ownerChanged(p.Function) {
			continue
		}
		t.lines = append(t.lines, d.line(p.Difference, p.String()))
		for _, part := range d.Places {
			if !p.Part && part.Part && part.Function == p.Function && part.Word != Same {
				t.lines = append(t.lines, d.line(part.Difference, "  "+part.String()))
			}
		}
	}
	return t
}

func (d *Diff) ownerChanged(function string) bool {
	return slices.ContainsFunc(d.Places, func(p Place) bool {
		return !p.Part && p.Function == function && p.Word != Same
	})
}

// String names a place: its line first, then the function and what it was doing.
func (p Place) String() string { return Change{Site: p.Site, Path: p.Path}.Place() }

// cumTable has the functions that changed with what they call, the user's first.
func (d *Diff) cumTable() diffTable {
	t := diffTable{title: "functions with what they call", head: diffHead}
	rows := slices.DeleteFunc(slices.Clone(d.Rows), func(r Row) bool {
		return r.Cum.Word == Same || r.CumA == r.A && r.CumB == r.B
	})
	slices.SortStableFunc(rows, func(x, y Row) int {
		if x.Own != y.Own {
			if x.Own {
				return -1
			}
			return 1
		}
		return larger(x.Cum, y.Cum)
	})
	for _, r := range rows {
		t.lines = append(t.lines, d.line(r.Cum, r.Function))
	}
	return t
}

// selfTable has the functions whose own cost changed.
func (d *Diff) selfTable() diffTable {
	t := diffTable{
		title: "functions by themselves",
		head:  "change\tof A's total\t95 % interval\tA itself\tB itself\tA with calls\tB with calls\t\t\n",
	}
	for _, r := range d.Changed() {
		t.lines = append(t.lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", d.signed(r.Delta),
			units.Percent(r.Share/100),
			d.signed(r.Low)+" ... "+d.signed(r.High), d.values.Number(r.A), d.values.Number(r.B),
			d.values.Number(r.CumA), d.values.Number(r.CumB), r.Word, r.Function))
	}
	return t
}

func (d *Diff) signed(x float64) string {
	if x > 0 {
		return "+" + d.values.Number(x)
	}
	return d.values.Number(x)
}

// diffColour says what became of a frame's function: orange for dearer and added, blue
// for cheaper and gone, grey where nothing is known to have changed.
func diffColour(w Word) string {
	switch w {
	case Added, Dearer:
		return "#fd8d3c"
	case Gone, Cheaper:
		return "#4292c6"
	default:
		return "#d9d9d9"
	}
}

func (f *Frame) tooltip(d *Diff) string {
	text := fmt.Sprintf("%s\nA %s, B %s", f.Function, d.values.Number(f.A), d.values.Number(f.B))
	if f.A > 0 && f.B > 0 {
		text += " (" + units.Percent(f.B/f.A-1) + ")"
	}
	if f.Word != Same {
		text += "; itself " + string(f.Word)
	}
	return text
}

// WriteSVG draws both sides below each other on one scale, a frame as wide as its cost
// there. Frames whose function itself changed are coloured.
func (d *Diff) WriteSVG(w io.Writer, title string) error {
	var body strings.Builder
	scale, y := svg.Width/math.Max(1e-300, math.Max(d.Root.A, d.Root.B)), svg.TitleHeight
	for _, side := range []struct {
		title string
		total float64
		cost  func(*Frame) float64
	}{
		{"A", d.A.Total, func(f *Frame) float64 { return f.A }},
		{"B", d.B.Total, func(f *Frame) float64 { return f.B }},
	} {
		fmt.Fprintf(&body, `<text x="4" y="%d">%s</text>`+"\n", y+12,
			svg.Escape(side.title+": "+d.values.Number(side.total)+d.Basis.Per()))
		y = svg.RowHeight + svg.DrawTree(&body, d.Root, y+svg.RowHeight, func(f *Frame) svg.Drawing {
			return svg.Drawing{Width: scale * side.cost(f), Colour: diffColour(f.Word), Label: symbol.Short(f.Function),
				Tooltip: f.tooltip(d)}
		}, func(f *Frame) []*Frame { return f.Children })
	}
	return svg.Write(w, title, y, body.String())
}

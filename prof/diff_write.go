package prof

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/gohone/hone/internal/units"
)

// Per is what a value is per: "per request", "per second", or nothing.
func (b Basis) Per() string {
	if b == Raw {
		return ""
	}
	return " per " + string(b)
}

// WriteText writes both totals and a line for each function that changed, at most most of
// them if most is over 0; what is within the noise is only counted.
func (d *Diff) WriteText(w io.Writer, most int) error {
	fmt.Fprintf(w, "%s%s: A %s, B %s (%s)\n", d.SampleType, d.Basis.Per(),
		d.values.number(d.A.Total), d.values.number(d.B.Total), units.Percent(d.B.Total/d.A.Total-1))
	if min(d.A.Captures, d.B.Captures) < 2 {
		fmt.Fprintln(w, "note: one capture of a side shows no noise but that of sampling: small changes may be none")
	}
	changed := d.Changed()
	if len(changed) == 0 {
		_, err := fmt.Fprintf(w, "no function changed beyond the noise, of %d\n", len(d.Rows))
		return err
	}
	rest := len(d.Rows) - len(changed)
	if most > 0 && most < len(changed) {
		fmt.Fprintf(w, "the largest %d of %d changes:\n", most, len(changed))
		changed = changed[:most]
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "change\tof A's total\t95 % interval\tA itself\tB itself\tA with calls\tB with calls\t\t\n")
	for _, r := range changed {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  %s\n", d.signed(r.Delta), units.Percent(r.Share/100),
			d.signed(r.Low)+" ... "+d.signed(r.High), d.values.number(r.A), d.values.number(r.B),
			d.values.number(r.CumA), d.values.number(r.CumB), r.Word, r.Function)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d more functions: no change beyond the noise\n", rest)
	return err
}

func (d *Diff) signed(x float64) string {
	if x > 0 {
		return "+" + d.values.number(x)
	}
	return d.values.number(x)
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

func (f *DiffFrame) tooltip(d *Diff) string {
	text := fmt.Sprintf("%s\nA %s, B %s", f.Function, d.values.number(f.A), d.values.number(f.B))
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
	p := panels{diff: d, scale: flameWidth / math.Max(1e-300, math.Max(d.Root.A, d.Root.B)), y: flameTop}
	for _, side := range []struct {
		title string
		total float64
		cost  func(*DiffFrame) float64
	}{
		{"A", d.A.Total, func(f *DiffFrame) float64 { return f.A }},
		{"B", d.B.Total, func(f *DiffFrame) float64 { return f.B }},
	} {
		p.add(side.title+": "+d.values.number(side.total)+d.Basis.Per(), side.cost)
	}
	return writePicture(w, title, p.y, p.body.String())
}

// panels draws the flame graphs of both sides below each other.
type panels struct {
	picture
	diff  *Diff
	scale float64
	y     int
}

func (p *panels) add(title string, cost func(*DiffFrame) float64) {
	fmt.Fprintf(&p.body, `<text x="4" y="%d">%s</text>`+"\n", p.y+12, xmlText(title))
	top := p.y + flameRow
	deepest := 0
	var draw func(f *DiffFrame, x float64, level int)
	draw = func(f *DiffFrame, x float64, level int) {
		width := p.scale * cost(f)
		if width < flameLeast {
			return
		}
		deepest = max(deepest, level)
		p.frame(x, top+level*flameRow, width, diffColour(f.Word), shortFunction(f.Function), f.tooltip(p.diff))
		for _, c := range f.Children {
			draw(c, x, level+1)
			x += p.scale * cost(c)
		}
	}
	draw(p.diff.Root, 0, 0)
	p.y = top + (deepest+2)*flameRow
}

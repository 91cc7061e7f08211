package prof

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed flame.html
var flamePage string

var flameTemplate = template.Must(template.New("flame").Parse(flamePage))

// page is what flame.html shows: one tree with a value for each side.
type page struct {
	Title, Unit, Summary string
	Legend               []legendEntry
	Sides                []string
	Wider                int // the side whose widths are shown first
	Totals               []float64
	Scale                float64 // what a value is in Unit
	Root                 *pageFrame
}

type legendEntry struct {
	Colour template.CSS // ours, never a profile's
	Text   string
}

type pageFrame struct {
	Name     string       `json:"n"`
	Values   []float64    `json:"v"`
	Colour   string       `json:"c"`
	Tooltip  string       `json:"t,omitempty"`
	Children []*pageFrame `json:"k,omitempty"`
}

func (v scale) baseUnit() string { return v.family[len(v.family)-1].Name }

// WriteHTML writes the flame graph as a page that needs nothing else: a click zooms, a
// search marks what matches and sums it, and a table has the numbers.
func (f *Flame) WriteHTML(w io.Writer, title string) error {
	var convert func(*Frame) *pageFrame
	convert = func(in *Frame) *pageFrame {
		out := &pageFrame{Name: in.Place.String(), Values: []float64{float64(in.Value)}, Colour: flameColour(in.Function)}
		for _, c := range in.Children {
			out.Children = append(out.Children, convert(c))
		}
		return out
	}
	summary := f.SampleType + ": " + f.values.text(f.Shown)
	if f.Shown != f.Total {
		summary += " of " + f.values.text(f.Total)
	}
	return flameTemplate.Execute(w, page{
		Title: title, Unit: f.values.baseUnit(), Scale: f.values.base, Sides: []string{f.SampleType},
		Totals: []float64{float64(f.Total)}, Root: convert(f.Root),
		Summary: summary,
		Legend: []legendEntry{
			{template.CSS(flameColour("main.main")), "the program and its modules"},
			{template.CSS(flameColour("fmt.Print")), "standard library"},
			{template.CSS(flameColour("runtime.mcall")), "runtime"},
		},
	})
}

// WriteHTML writes the flame graph of both sides as a page that needs nothing else, with
// the widths of either. Frames whose function itself changed are coloured.
func (d *Diff) WriteHTML(w io.Writer, title string) error {
	var convert func(*DiffFrame) *pageFrame
	convert = func(in *DiffFrame) *pageFrame {
		out := &pageFrame{Name: in.Function, Values: []float64{in.A, in.B}, Colour: diffColour(in.Word), Tooltip: in.tooltip(d)}
		for _, c := range in.Children {
			out.Children = append(out.Children, convert(c))
		}
		return out
	}
	wider := 0 // what was added is on the dearer side, and what went
	if d.B.Total > d.A.Total {
		wider = 1
	}
	return flameTemplate.Execute(w, page{
		Title: title, Unit: d.values.baseUnit(), Scale: d.values.base, Sides: []string{"A", "B"}, Wider: wider,
		Totals: []float64{d.A.Total, d.B.Total}, Root: convert(d.Root),
		Summary: d.SampleType + d.Basis.Per() + ": A " + d.values.number(d.A.Total) + ", B " + d.values.number(d.B.Total),
		Legend: []legendEntry{
			{template.CSS(diffColour(Dearer)), "the function itself became dearer"},
			{template.CSS(diffColour(Cheaper)), "cheaper"},
			{template.CSS(diffColour(Same)), "no change beyond the noise"},
		},
	})
}

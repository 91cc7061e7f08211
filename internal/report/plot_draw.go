package report

import (
	"encoding/json"
	"fmt"
	"strings"
)

// chart is a chart in the terms of its data.
type chart struct {
	title, note string
	x, y        scale
	series      []series
	table       table
}

// series is one line, or a row of marks.
type series struct {
	name  string
	class string // colour
	style string // "line", "dash", "dot", "thin", "asked": how it is drawn
	marks bool   // crosses in place of a line
	steps bool   // each value holds until the next point
	// points are in the order of x.
	points []point
}

type point struct {
	x, y float64
	// text is what a hover shows; one that no hover needs is empty.
	text string
}

// drawnChart is a chart as the template shows it: the same twice, for a wide page and for
// a narrow one, of which the style sheet shows one.
type drawnChart struct {
	Title, Note string
	Views       []view
	Legend      []legendItem
	Table       table
}

type legendItem struct {
	Class, Style, Name string
	Marks              bool
}

// view is one drawing, in pixels.
type view struct {
	Class                    string
	Width, Height            int
	Left, Right, Top, Bottom float64 // of the field
	XMarks, YMarks           []mark
	Lines                    []line
	Label                    string // for screen readers
}

type line struct {
	Class, Style, Path string
	Marks              bool
	// Hover is a JSON list of [x, y, text].
	Hover string
}

func (c chart) draw() drawnChart {
	out := drawnChart{Title: c.title, Note: c.note, Table: c.table}
	for _, s := range c.series {
		if len(s.points) > 0 {
			out.Legend = append(out.Legend, legendItem{s.class, s.style, s.name, s.marks})
		}
	}
	out.Views = []view{
		c.view("wide", 1080, 340, 10, 7),
		c.view("narrow", 360, 280, 4, 5),
	}
	return out
}

// view draws the chart with at most about nx and ny marks on its axes.
func (c chart) view(class string, width, height, nx, ny int) view {
	v := view{
		Class: class, Width: width, Height: height, Label: c.title + ". " + c.note,
		Left: 64, Right: float64(width) - 26, Top: 14, Bottom: float64(height) - 28,
	}
	px := func(x float64) float64 { return v.Left + c.x.at(x)*(v.Right-v.Left) }
	py := func(y float64) float64 { return v.Bottom - c.y.at(y)*(v.Bottom-v.Top) }
	for _, m := range c.x.marks(nx) {
		v.XMarks = append(v.XMarks, mark{tenth(v.Left + m.At*(v.Right-v.Left)), m.Text})
	}
	for _, m := range c.y.marks(ny) {
		v.YMarks = append(v.YMarks, mark{tenth(v.Bottom - m.At*(v.Bottom-v.Top)), m.Text})
	}
	for _, s := range c.series {
		if len(s.points) == 0 {
			continue
		}
		var path strings.Builder
		var hover [][3]any
		for i, p := range s.points {
			x, y := px(p.x), py(p.y)
			switch {
			case s.marks:
				fmt.Fprintf(&path, "M%.1f %.1fl8 8m0 -8l-8 8", x-4, y-4)
			case i == 0:
				fmt.Fprintf(&path, "M%.1f %.1f", x, y)
			case s.steps:
				fmt.Fprintf(&path, "H%.1fV%.1f", x, y)
			default:
				fmt.Fprintf(&path, "L%.1f %.1f", x, y)
			}
			if p.text != "" {
				hover = append(hover, [3]any{tenth(x), tenth(y), p.text})
			}
		}
		spots, _ := json.Marshal(hover) // numbers and strings: cannot go wrong
		v.Lines = append(v.Lines, line{Class: s.class, Style: s.style, Path: path.String(), Marks: s.marks, Hover: string(spots)})
	}
	return v
}

// tenth rounds a length to a tenth of a pixel.
func tenth(v float64) float64 { return float64(int(v*10+0.5)) / 10 }

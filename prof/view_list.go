package prof

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/internal/quantity"
)

var listView = &View{
	Name: "list", Summary: "the source of the functions that match, with the cost of each line", OfFunctions: true,
	show: (*selected).list,
}

// Listing is the source of functions with costs, the dearest function first.
type Listing struct {
	Head
	Routines []Routine `json:"routines"`
}

// Routine is one function. Without source its lines are those with costs.
type Routine struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Flat     int64  `json:"flat"`
	Cum      int64  `json:"cum"`
	Lines    []Line `json:"lines"`
	// NoSource says why there is no text.
	NoSource string `json:"no_source,omitempty"`
}

// Line is one line of source.
type Line struct {
	Number int64  `json:"number"`
	Text   string `json:"text,omitempty"`
	Flat   int64  `json:"flat,omitempty"`
	Cum    int64  `json:"cum,omitempty"`
}

// around is how many lines are shown above and below those with costs where the end of
// the function is not known: assembly, C, generated code.
const around = 5

func (s *selected) list(l ViewOptions) (Document, error) {
	s.granularity = ByFileFunction
	whole := newGraph(s)
	s.granularity = ByLine
	lines := newGraph(s)
	found, err := whole.matching(l)
	if err != nil {
		return nil, err
	}
	out := &Listing{Head: s.head("list", whole.total(), 0)}
	costs := map[Place][]Line{}
	for _, line := range lines.nodes {
		of := Place{Function: line.Function, File: line.File}
		costs[of] = append(costs[of], Line{Number: line.Line, Flat: line.flat, Cum: line.cum})
	}
	space := l.Room()
	for i, n := range found {
		if space.Full {
			out.Dropped += len(found) - i
			break
		}
		r := Routine{Function: n.Function, File: n.File, Flat: n.flat, Cum: n.cum, Lines: costs[n.Place]}
		slices.SortFunc(r.Lines, func(x, y Line) int { return cmp.Compare(x.Number, y.Number) })
		if err := r.addSource(l.Sources); err != nil {
			r.NoSource = err.Error()
		}
		r.shorten(space)
		out.Routines = append(out.Routines, r)
	}
	out.Cut = space.Full
	return out, nil
}

// shorten drops the lines that there is no room for.
func (r *Routine) shorten(space *calltree.Room) {
	if !space.Takes(calltree.RowBytes + len(r.Function) + len(r.File)) {
		r.Lines = nil
		return
	}
	for i, line := range r.Lines {
		if !space.Takes(calltree.RowBytes + len(line.Text)) {
			r.Lines = r.Lines[:i]
			return
		}
	}
}

// addSource puts the lines with costs among those of the whole function.
func (r *Routine) addSource(from Sources) error {
	if from == nil {
		return errors.New("no place to look for source")
	}
	source, err := from.Source(r.File)
	if err != nil {
		return err
	}
	text := bytes.Split(bytes.TrimSuffix(source, []byte("\n")), []byte("\n"))
	var numbers []int64
	for _, line := range r.Lines {
		if line.Number > int64(len(text)) {
			return fmt.Errorf("%s has %d lines, and line %d has costs: it was changed since", r.File, len(text),
				line.Number)
		}
		if line.Number > 0 {
			numbers = append(numbers, line.Number)
		}
	}
	if len(numbers) == 0 {
		return errors.New("the profile has no line numbers")
	}
	first, last, ok := functionLines(source, numbers)
	if !ok {
		first, last = max(1, numbers[0]-around), min(int64(len(text)), numbers[len(numbers)-1]+around)
	}
	costs := map[int64]Line{}
	for _, line := range r.Lines {
		costs[line.Number] = line
	}
	r.Lines = r.Lines[:0]
	for n := first; n <= last; n++ {
		line := costs[n]
		line.Number, line.Text = n, string(bytes.TrimSuffix(text[n-1], []byte("\r")))
		r.Lines = append(r.Lines, line)
	}
	return nil
}

// WriteText writes each function: flat, cum, number and text of its lines.
func (l *Listing) WriteText(w io.Writer) error {
	return l.write(w, func(b *bufio.Writer) {
		for _, r := range l.Routines {
			l.writeFunction(b, r.Function, r.File, r.Flat, r.Cum)
			if r.NoSource != "" {
				fmt.Fprintf(b, "no source: %s\n", r.NoSource)
			}
			table := Columns(b)
			for _, line := range r.Lines {
				fmt.Fprintf(table, "%s\t%s\t%d\t  %s\n", l.cost(line.Flat), l.cost(line.Cum), line.Number, line.Text)
			}
			table.Flush()
		}
	})
}

// writeFunction writes what stands above the lines of a function.
func (h Head) writeFunction(w io.Writer, function, file string, flat, cum int64) {
	fmt.Fprintf(w, "\n%s  %s\n%s flat, %s cum (%s)\n", function, file, h.values.Text(flat), h.values.Text(cum),
		quantity.Share(cum, h.Total))
}

func (h Head) cost(v int64) string {
	if v == 0 {
		return "."
	}
	return h.values.Text(v)
}

package prof

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/internal/quantity"
)

var topView = &View{Name: "top", Summary: "functions by what they cost themselves", show: (*selected).top}

// Top is the places of a profile by cost.
type Top struct {
	Head
	Rows []Row `json:"rows"`
}

// Row is the cost of one place, in the document's unit.
type Row struct {
	Place
	// Flat is spent in the place itself; Cum in it and what it called.
	Flat int64 `json:"flat"`
	Cum  int64 `json:"cum"`
	// Inlined says that all its calls were inlined, PartlyInlined that some were.
	Inlined       bool `json:"inlined,omitempty"`
	PartlyInlined bool `json:"partly_inlined,omitempty"`
}

func (s *selected) top(l ViewOptions) (Document, error) {
	g, dropped := trimmed(s, l.NodeShare, l.Nodes, l.order())
	t, r := &Top{Head: s.head("top", g.total(), dropped), Rows: []Row{}}, l.Room()
	for i, n := range g.nodes {
		if !r.Takes(calltree.RowBytes + n.textBytes()) {
			t.Dropped += len(g.nodes) - i
			break
		}
		t.Rows = append(t.Rows, n.row())
	}
	t.Cut = r.Full
	return t, nil
}

func (n *node) row() Row {
	return Row{
		Place: n.Place, Flat: n.flat, Cum: n.cum,
		Inlined: n.inlined && !n.outOfLine, PartlyInlined: n.inlined && n.outOfLine,
	}
}

// WriteText writes a line for each place: flat, its share, the shares so far, cum, its
// share, and the place.
func (t *Top) WriteText(w io.Writer) error {
	return t.write(w, func(b *bufio.Writer) {
		table := Columns(b)
		defer table.Flush()
		fmt.Fprint(table, "flat\tflat%\tsum%\tcum\tcum%\t\n")
		var sum int64
		for _, r := range t.Rows {
			sum += r.Flat
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t  %s\n",
				t.values.Text(r.Flat), quantity.Share(r.Flat, t.Total), quantity.Share(sum, t.Total),
				t.values.Text(r.Cum), quantity.Share(r.Cum, t.Total), r.label())
		}
	})
}

func (r Row) label() string {
	switch {
	case r.Inlined:
		return r.Place.String() + " (inline)"
	case r.PartlyInlined:
		return r.Place.String() + " (partial-inline)"
	default:
		return r.Place.String()
	}
}

package prof

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

var treeView = &View{
	Name: "tree", Summary: "each function between its callers and callees",
	show: func(s *selected, l ViewOptions) (Document, error) {
		g, h := s.graphed("tree", l, l.order())
		return treeOf(g, g.nodes, h, l), nil
	},
}

var peekView = &View{
	Name: "peek", Summary: "the callers and callees of the functions that match", OfFunctions: true,
	show: func(s *selected, l ViewOptions) (Document, error) {
		g := newGraphOf(s, func(p Place) bool { return p.matches(l.Function) })
		found, err := g.matching(l)
		if err != nil {
			return nil, err
		}
		return treeOf(g, found, s.head("peek", g.total(), 0), l), nil
	},
}

// Tree is places with who called them and whom they called.
type Tree struct {
	Head
	Entries []Entry `json:"entries"`
}

// Entry is one place between its callers and callees, the heaviest first.
type Entry struct {
	Row
	Callers []Call `json:"callers,omitempty"`
	Callees []Call `json:"callees,omitempty"`
}

// Call is the calls between an entry and one other place.
type Call struct {
	Place
	// Value is the samples in which they were, each counted once.
	Value int64 `json:"value"`
	// Residual says that some of the calls went by places that are left out.
	Residual bool `json:"residual,omitempty"`
	Inlined  bool `json:"inlined,omitempty"`
}

func treeOf(g *graph, nodes []*node, h Head, l ViewOptions) *Tree {
	t, r := &Tree{Head: h}, l.room()
	cutoff := uint64(math.Abs(float64(h.Total)) * l.EdgeShare)
	for i, n := range nodes {
		if !r.takes(rowBytes + n.textBytes()) {
			t.Dropped += len(nodes) - i
			break
		}
		e := Entry{Row: n.row()}
		for _, c := range n.callers() {
			e.Callers = appendCall(e.Callers, c, c.from, cutoff, r)
		}
		for _, c := range n.callees() {
			e.Callees = appendCall(e.Callees, c, c.to, cutoff, r)
		}
		t.Entries = append(t.Entries, e)
	}
	t.Cut = r.full || g.cut
	return t
}

func appendCall(calls []Call, e *edge, other *node, cutoff uint64, r *room) []Call {
	if magnitude(e.value) < cutoff || !r.takes(rowBytes+other.textBytes()) {
		return calls
	}
	return append(calls, Call{Place: other.Place, Value: e.value, Residual: e.residual, Inlined: e.inline})
}

// matching are the nodes whose function or file matches, in the look's order.
func (g *graph) matching(l ViewOptions) ([]*node, error) {
	var found []*node
	for _, n := range g.nodes {
		if n.matches(l.Function) {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		return nil, noMatch(l)
	}
	slices.SortStableFunc(found, l.order())
	return found, nil
}

func noMatch(l ViewOptions) error {
	return fmt.Errorf("no function matches %q: top lists the functions", l.Function)
}

// WriteText writes a block for each place, callers above and callees below it.
func (t *Tree) WriteText(w io.Writer) error {
	return t.write(w, func(b *bufio.Writer) {
		table := columns(b)
		defer table.Flush()
		fmt.Fprint(table, "flat\tflat%\tcum\tcum%\tcalls\tcalls%\t\n")
		for _, e := range t.Entries {
			fmt.Fprintln(table, strings.Repeat("-\t", 6))
			t.writeCalls(table, e.Callers, e.Cum)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t\t\t  %s\n", t.values.text(e.Flat), share(e.Flat, t.Total),
				t.values.text(e.Cum), share(e.Cum, t.Total), e.label())
			t.writeCalls(table, e.Callees, e.Cum)
		}
	})
}

func (t *Tree) writeCalls(w io.Writer, calls []Call, cum int64) {
	for _, c := range calls {
		note := ""
		if c.Inlined {
			note = " (inline)"
		}
		if c.Residual {
			note += " (by way of others)"
		}
		fmt.Fprintf(w, "\t\t\t\t%s\t%s\t  |   %s%s\n", t.values.text(c.Value), share(c.Value, cum), c.Place, note)
	}
}

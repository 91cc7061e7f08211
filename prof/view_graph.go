package prof

import (
	"fmt"
	"io"
	"math"
	"strings"
)

var graphView = &View{
	Name: "graph", Summary: "who calls whom, as JSON or in Graphviz' language",
	show: (*selected).callGraph,
}

// CallGraph is places and the calls between them.
type CallGraph struct {
	Head
	Nodes []Row       `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
}

// GraphEdge is the calls from one node to another, given by their index.
type GraphEdge struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Value int64 `json:"value"`
	// Residual says that some calls went by way of places that are left out.
	Residual bool `json:"residual,omitempty"`
	Inlined  bool `json:"inlined,omitempty"`
}

func (s *selected) callGraph(l ViewOptions) (Document, error) {
	// A picture is of what lies on the way to the costs, so cum chooses what is in it.
	g, h := s.graphed("graph", l, byCum)
	out, r := &CallGraph{Head: h, Nodes: []Row{}, Edges: []GraphEdge{}}, l.room()
	index := make(map[*node]int, len(g.nodes))
	for i, n := range g.nodes {
		if !r.takes(rowBytes + n.textBytes()) {
			out.Dropped += len(g.nodes) - i
			break
		}
		index[n] = i
		out.Nodes = append(out.Nodes, n.row())
	}
	cutoff := uint64(math.Abs(float64(h.Total)) * l.EdgeShare)
	for i, n := range g.nodes[:len(out.Nodes)] {
		for _, e := range n.callees() {
			if _, shown := index[e.to]; shown && magnitude(e.value) >= cutoff && r.takes(rowBytes) {
				out.Edges = append(out.Edges, GraphEdge{i, index[e.to], e.value, e.residual, e.inline})
			}
		}
	}
	out.Cut = r.full || g.cut
	return out, nil
}

// WriteText writes the graph in the language of Graphviz: hone profile graph RUN | dot -Tsvg.
func (g *CallGraph) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n", g.SampleType)
	fmt.Fprintf(&b, "\tnode [shape=box fontname=\"sans-serif\" style=filled fillcolor=\"#f4f4f4\"]\n")
	for i, n := range g.Nodes {
		label := n.Place.String() + "\n" + g.values.text(n.Flat) + " (" + share(n.Flat, g.Total) + ")"
		if n.Cum != n.Flat {
			label += "\nof " + g.values.text(n.Cum) + " (" + share(n.Cum, g.Total) + ")"
		}
		size := 8 + 24*math.Sqrt(float64(magnitude(n.Flat))/max(1, math.Abs(float64(g.Total))))
		fmt.Fprintf(&b, "\tn%d [label=%s fontsize=%.0f]\n", i, dotString(label), size)
	}
	for _, e := range g.Edges {
		style := ""
		if e.Residual {
			style = " style=dotted"
		}
		width := 1 + 4*float64(magnitude(e.Value))/max(1, math.Abs(float64(g.Total)))
		fmt.Fprintf(&b, "\tn%d -> n%d [label=%s penwidth=%.1f%s]\n", e.From, e.To, dotString(" "+g.values.text(e.Value)), width, style)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotString quotes for Graphviz, which knows \n and escapes of quotes and backslashes only.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

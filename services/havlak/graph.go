package havlak

import (
	"errors"
	"fmt"
)

// Edge is a possible step of control from one basic block to another.
type Edge struct{ From, To int32 }

// Graph is a control-flow graph: nodes 0 to Nodes-1, entered at node 0. The order of its
// edges is the order in which a search follows those that leave the same node. Edges may
// be given twice, and nodes need not be reachable.
type Graph struct {
	Nodes int
	Edges []Edge
}

// Bounds of a graph. first recurses once for each node on a path.
const (
	MaxNodes = 1 << 20
	MaxEdges = 1 << 22
)

// Validate says what is wrong with g: a size out of bounds, and the first edge that
// leaves the nodes.
func (g Graph) Validate() error {
	var faults []error
	if g.Nodes < 1 || g.Nodes > MaxNodes {
		faults = append(faults, fmt.Errorf("graph has %d nodes, want 1 to %d", g.Nodes, MaxNodes))
	}
	if len(g.Edges) > MaxEdges {
		faults = append(faults, fmt.Errorf("graph has %d edges, want %d at most", len(g.Edges), MaxEdges))
	}
	for i, e := range g.Edges {
		if !g.has(e.From) || !g.has(e.To) {
			faults = append(faults, fmt.Errorf("edge %d goes from node %d to %d, want 0 to %d", i, e.From, e.To, g.Nodes-1))
			break
		}
	}
	return errors.Join(faults...)
}

func (g Graph) has(node int32) bool { return node >= 0 && int(node) < g.Nodes }

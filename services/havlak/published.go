package havlak

import "fmt"

// The published graph is made of trees side by side, each a chain of outer loops, each
// around a chain of figures of three loops.
const (
	treeOuters   = 100
	outerFigures = 25
	// LoopsPerTree is the number of loops in one tree.
	LoopsPerTree = treeOuters * (1 + 3*outerFigures)
	// PublishedLoops is the number of loops of the published graph, of ten trees.
	PublishedLoops = 10 * LoopsPerTree
)

// Nodes and edges that each part adds, so that the graph is made without growing.
const (
	figureNodes, figureEdges = 10, 15
	outerNodes, outerEdges   = 2 + outerFigures*figureNodes, 3 + outerFigures*figureEdges
	treeNodes, treeEdges     = 1 + treeOuters*outerNodes, 2 + treeOuters*outerEdges
)

// Warmup is the graph of three nodes and no loop on which the published program calls the
// finder 15,000 times before it builds the large one.
func Warmup() Graph { return Graph{Nodes: 3, Edges: []Edge{{0, 2}}} }

const maxLoops = (MaxNodes - 3) / treeNodes * LoopsPerTree

// CheckLoops says whether there is a published graph with that many loops: a multiple of
// LoopsPerTree, within the bounds of a graph.
func CheckLoops(loops int) error {
	if loops < LoopsPerTree || loops > maxLoops || loops%LoopsPerTree != 0 {
		return fmt.Errorf("graph of %d loops: want a multiple of %d, %d at most", loops, LoopsPerTree, maxLoops)
	}
	return nil
}

// Published returns the published graph with that many loops, PublishedLoops for figures
// to be comparable. The error is that of CheckLoops.
func Published(loops int) (Graph, error) {
	if err := CheckLoops(loops); err != nil {
		return Graph{}, err
	}
	trees := loops / LoopsPerTree
	p := plan{last: 2, edges: make([]Edge, 0, 1+trees*treeEdges)}
	p.connect(0, 2)
	for range trees {
		p.tree()
	}
	return Graph{Nodes: int(p.last) + 1, Edges: p.edges}, nil
}

// plan is a graph that grows at its last node.
type plan struct {
	last  int32
	edges []Edge
}

func (p *plan) connect(from, to int32) { p.edges = append(p.edges, Edge{from, to}) }

// step adds a node after the last one.
func (p *plan) step() int32 {
	p.connect(p.last, p.last+1)
	p.last++
	return p.last
}

// diamond adds a branch of two sides after the last node, and the node where they meet.
func (p *plan) diamond() int32 {
	top := p.last
	p.connect(top, top+1)
	p.connect(top, top+2)
	p.connect(top+1, top+3)
	p.connect(top+2, top+3)
	p.last = top + 3
	return p.last
}

// figure adds two loops around a diamond each, one after the other, and a loop around both.
func (p *plan) figure() {
	top := p.last
	first := p.step()
	firstEnd := p.diamond()
	second := p.step()
	secondEnd := p.diamond()
	end := p.step()
	p.connect(secondEnd, second)
	p.connect(firstEnd, first)
	p.connect(end, top)
	p.step()
}

// tree adds a branch from node 2 to node 1, the end of the program.
func (p *plan) tree() {
	p.last++
	p.connect(2, p.last)
	for range treeOuters {
		top := p.last
		p.step()
		for range outerFigures {
			p.figure()
		}
		end := p.last
		p.step()
		p.connect(end, top)
	}
	p.connect(p.last, 1)
}

package prof

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
)

// node is one place of a profile and the samples there.
type node struct {
	Place
	flat, cum int64
	in, out   map[*node]*edge // callers and callees
	// inlined says that some of its calls were inlined, outOfLine that some were not.
	inlined, outOfLine bool

	seen int  // the sample that last counted in cum
	end  bool // its calls are counted
}

// edge is the samples in which from called to, each counted once however often it did.
type edge struct {
	from, to *node
	value    int64
	// residual says that some calls went by places that are not in the graph, inline
	// that all of them were inlined.
	residual, inline bool

	seen int
}

// graph is the places of a profile and who called whom. It counts as go tool pprof does:
// a sample counts once in the cum of a place and once for each pair of caller and
// callee, and a sample whose leaf is not in the graph is in no flat.
type graph struct {
	nodes []*node // in the order of their names
	// cut says that there were more edges than maxEdges, and the rest is not there.
	cut bool
}

// newGraph counts a profile. keep, if not nil, says which places are in the graph.
func newGraph(s *selected, keep func(Place) bool) *graph {
	return (&grapher{selected: s, keep: keep, edges: true}).graph()
}

// newGraphOf is newGraph of all places, with the calls from and to some of them.
func newGraphOf(s *selected, ends func(Place) bool) *graph {
	return (&grapher{selected: s, ends: ends, edges: true}).graph()
}

// newNodes is newGraph without its edges, which take most of the time.
func newNodes(s *selected) *graph { return (&grapher{selected: s}).graph() }

func (b *grapher) graph() *graph {
	s := b.selected
	b.nodes = map[Place]*node{}
	b.left = maxEdges
	b.resolve()
	for i, sample := range s.profile.Sample {
		if v := sample.Value[s.column]; v != 0 {
			b.add(i, b.stack(sample.Location), v)
		}
	}
	g := &graph{cut: b.left < 0}
	for _, n := range b.nodes {
		if n.seen >= 0 {
			g.nodes = append(g.nodes, n)
		}
	}
	slices.SortFunc(g.nodes, func(x, y *node) int { return x.compare(y.Place) })
	return g
}

// total is the sum of what the nodes themselves cost.
func (g *graph) total() int64 {
	var sum int64
	for _, n := range g.nodes {
		sum += n.flat
	}
	return sum
}

// trimmed is the graph without the nodes under a share of its total in cum, and of those
// that are left only the first so many (0: all) in the order of compare. Calls by way of
// dropped nodes become residual edges.
func trimmed(s *selected, share float64, most int, compare func(x, y *node) int) (g *graph, dropped int) {
	nodes, dropped := trimmedNodes(s, share, most, compare)
	places := make(map[Place]bool, len(nodes.nodes))
	for _, n := range nodes.nodes {
		places[n.Place] = true
	}
	return newGraph(s, func(p Place) bool { return places[p] }), dropped
}

// trimmedNodes is trimmed without the edges, in the order of compare.
func trimmedNodes(s *selected, share float64, most int, compare func(x, y *node) int) (g *graph, dropped int) {
	g = newNodes(s)
	all := len(g.nodes)
	cutoff := int64(math.Abs(float64(g.total()) * share))
	g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { return magnitude(n.cum) < uint64(cutoff) })
	slices.SortStableFunc(g.nodes, compare)
	if most > 0 && most < len(g.nodes) {
		g.nodes = g.nodes[:most]
	}
	return g, all - len(g.nodes)
}

// byFlat and byCum are the orders in which nodes are listed, ties by cum or flat and name.
func byFlat(x, y *node) int {
	return cmp.Or(cmp.Compare(magnitude(y.flat), magnitude(x.flat)), x.compare(y.Place))
}

func byCum(x, y *node) int {
	return cmp.Or(cmp.Compare(magnitude(y.cum), magnitude(x.cum)), x.compare(y.Place))
}

// compare orders places as go tool pprof does: as texts, so that line 127 comes before 18.
func (p Place) compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Address, q.Address), cmp.Compare(p.Function, q.Function), cmp.Compare(p.File, q.File),
		cmp.Compare(strconv.FormatInt(p.Line, 10), strconv.FormatInt(q.Line, 10)))
}

// callers and callees are a node's edges, the heaviest first.
func (n *node) callers() []*edge {
	return ordered(n.in, func(e *edge) *node { return e.from })
}

func (n *node) callees() []*edge {
	return ordered(n.out, func(e *edge) *node { return e.to })
}

func ordered(edges map[*node]*edge, end func(*edge) *node) []*edge {
	return slices.SortedFunc(maps.Values(edges), func(x, y *edge) int {
		return cmp.Or(cmp.Compare(magnitude(y.value), magnitude(x.value)), end(x).compare(end(y).Place))
	})
}

// magnitude orders the values of a difference by size; it is safe for MinInt64.
func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(math.MaxUint64-uint64(v)) + 1
	}
	return uint64(v)
}

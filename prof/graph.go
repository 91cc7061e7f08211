package prof

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// node is one place of a profile and the samples there.
type node struct {
	Place
	flat, cum int64
	// inlined says that some of its calls were inlined, outOfLine that some were not.
	inlined, outOfLine bool

	seen int // the sample that last counted in cum
}

// graph is the places of a profile. It counts as go tool pprof does: a sample counts once in the cum of a place.
type graph struct {
	nodes []*node // in the order of their names
}

// newGraph counts a profile.
func newGraph(s *selected) *graph {
	b := &grapher{selected: s, nodes: map[Place]*node{}}
	b.resolve()
	for i, sample := range s.profile.Sample {
		if v := sample.Value[s.column]; v != 0 {
			b.add(i, b.stack(sample.Location), v)
		}
	}
	g := &graph{}
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

// trimmed is the graph without the nodes under a share of its total in cum, and of those that are left only the first
// so many (0: all), in the order of compare.
func trimmed(s *selected, share float64, most int, compare func(x, y *node) int) (g *graph, dropped int) {
	g = newGraph(s)
	all := len(g.nodes)
	cutoff := int64(math.Abs(float64(g.total()) * share))
	g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { return magnitude(n.cum) < uint64(cutoff) })
	slices.SortStableFunc(g.nodes, compare)
	if most > 0 && most < len(g.nodes) {
		g.nodes = g.nodes[:most]
	}
	return g, all - len(g.nodes)
}

// matching are the nodes whose function or file matches, in the order asked for.
func (g *graph) matching(l ViewOptions) ([]*node, error) {
	found := slices.DeleteFunc(slices.Clone(g.nodes), func(n *node) bool { return !n.matches(l.Function) })
	if len(found) == 0 {
		return nil, fmt.Errorf("no function matches %q: top lists the functions", l.Function)
	}
	slices.SortStableFunc(found, l.order())
	return found, nil
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

// magnitude orders the values of a difference by size; it is safe for MinInt64.
func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(math.MaxUint64-uint64(v)) + 1
	}
	return uint64(v)
}

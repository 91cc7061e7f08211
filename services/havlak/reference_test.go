package havlak_test

import "github.com/gohone/hone/services/havlak"

// reference finds loops by their definition (see the package's documentation) and by
// nothing else: one search for the tree, then for each node its strongly connected
// component among its descendants. It takes time of the square of the graph and more.
type reference struct {
	g         havlak.Graph
	out       [][]int32
	reached   []bool
	parent    []int32 // in the search's tree
	loops     map[int32]map[int32]bool
	reachable []int32 // in order of the search
}

func newReference(g havlak.Graph) *reference {
	r := &reference{g: g, out: make([][]int32, g.Nodes), reached: make([]bool, g.Nodes), parent: make([]int32, g.Nodes), loops: map[int32]map[int32]bool{}}
	for _, e := range g.Edges {
		r.out[e.From] = append(r.out[e.From], e.To)
	}
	r.search(0, havlak.None)
	for _, h := range r.reachable {
		if body := r.component(h); len(body) > 1 || r.hasEdge(h, h) {
			r.loops[h] = body
		}
	}
	return r
}

func (r *reference) search(v, from int32) {
	r.reached[v], r.parent[v] = true, from
	r.reachable = append(r.reachable, v)
	for _, to := range r.out[v] {
		if !r.reached[to] {
			r.search(to, v)
		}
	}
}

func (r *reference) isDescendant(v, of int32) bool {
	if !r.reached[v] {
		return false
	}
	for v != of && v != havlak.None {
		v = r.parent[v]
	}
	return v == of
}

func (r *reference) hasEdge(from, to int32) bool {
	for _, v := range r.out[from] {
		if v == to {
			return true
		}
	}
	return false
}

// component is every descendant of h, h included, that has a way to h through
// descendants of h only; each of them can be reached from h in the tree.
func (r *reference) component(h int32) map[int32]bool {
	body := map[int32]bool{h: true}
	for grown := true; grown; {
		grown = false
		for _, e := range r.g.Edges {
			if body[e.To] && !body[e.From] && r.isDescendant(e.From, h) {
				body[e.From], grown = true, true
			}
		}
	}
	return body
}

// forest is the loops in order of their headers, and for each node the smallest loop
// that it is in.
func (r *reference) forest() havlak.Forest {
	f := havlak.Forest{Loops: []havlak.Loop{}, Inner: make([]int32, r.g.Nodes)}
	index := map[int32]int32{}
	for v := range int32(r.g.Nodes) {
		if r.loops[v] != nil {
			index[v] = int32(len(index))
		}
	}
	at := func(header int32) int32 {
		if header == havlak.None {
			return havlak.None
		}
		return index[header]
	}
	for v := range int32(r.g.Nodes) {
		f.Inner[v] = at(r.smallest(v, havlak.None))
		if body := r.loops[v]; body != nil {
			f.Loops = append(f.Loops, havlak.Loop{Header: v, Parent: at(r.smallest(v, v)), Irreducible: r.isIrreducible(v, body)})
		}
	}
	return f
}

// smallest is the header of the smallest loop that v is in, other than that of except.
func (r *reference) smallest(v, except int32) int32 {
	smallest := int32(havlak.None)
	for h, body := range r.loops {
		if body[v] && h != except && (smallest == havlak.None || len(body) < len(r.loops[smallest])) {
			smallest = h
		}
	}
	return smallest
}

// isIrreducible says whether an edge leads from no descendant of h into h's loop, to
// another node than h.
func (r *reference) isIrreducible(h int32, body map[int32]bool) bool {
	for _, e := range r.g.Edges {
		if r.reached[e.From] && body[e.To] && e.To != h && !r.isDescendant(e.From, h) {
			return true
		}
	}
	return false
}

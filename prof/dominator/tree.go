// Package dominator finds the dominator tree of a graph: node v dominates w if each path from the root to w leads
// through v. In a graph of references, what v dominates is what would be free without v: what it retains.
//
// The algorithm is that of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", ACM TOPLAS
// 1(1), 1979, in its simple form: O(m log n), also of graphs on which iterative ones are quadratic, such as a ring of
// list elements.
package dominator

// Graph is a directed graph whose nodes are numbered from 0.
type Graph interface {
	// Successors appends the nodes to which v has an edge. One may be there more than once.
	Successors(v uint32, to []uint32) []uint32
}

// Tree is the dominator tree of what can be reached from a root. Its nodes are numbered anew, in the order of a
// depth-first search: the root is 0, and each comes after the one that dominates it.
type Tree struct {
	// Node is the number in the graph of each node of the tree.
	Node []uint32
	// Parent is the closest other node that dominates each, as a number of the tree; that of the root is 0.
	Parent []uint32
	// number is the number in the tree of each node of the graph, plus 1; 0 if it is not reached.
	number []uint32
	// preds are the numbers of the nodes with an edge to each, from first on.
	first, preds []uint32
}

// New finds the tree of a graph of n nodes, of which about reached can be reached from the root. It keeps about 32
// bytes for each of those and 4 for each edge between them while it runs.
func New(g Graph, n, reached int, root uint32) *Tree {
	t := &Tree{number: make([]uint32, n), Node: make([]uint32, 0, reached)}
	ancestor := t.search(g, root)
	t.predecessors(g)
	t.Parent = (&forest{ancestor: ancestor, semi: iota(len(t.Node)), label: iota(len(t.Node))}).dominators(t)
	return t
}

// Number is the number in the tree of a node of the graph; ok is false if it is not reached.
func (t *Tree) Number(node uint32) (number uint32, ok bool) {
	return t.number[node] - 1, t.number[node] > 0
}

// Predecessors are the nodes with an edge to v, all as numbers of the tree.
func (t *Tree) Predecessors(v uint32) []uint32 { return t.preds[t.first[v]:t.first[v+1]] }

// search numbers the nodes and returns the parents in the tree of the search.
func (t *Tree) search(g Graph, root uint32) (parent []uint32) {
	type step struct{ node, from uint32 }
	parent = make([]uint32, 0, cap(t.Node))
	stack := []step{{root, 0}}
	var to []uint32
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.number[s.node] > 0 {
			continue
		}
		v := uint32(len(t.Node))
		t.number[s.node] = v + 1
		t.Node, parent = append(t.Node, s.node), append(parent, s.from)
		to = g.Successors(s.node, to[:0])
		for i := len(to) - 1; i >= 0; i-- {
			if t.number[to[i]] == 0 {
				stack = append(stack, step{to[i], v})
			}
		}
	}
	return parent
}

// predecessors turns the edges round.
func (t *Tree) predecessors(g Graph) {
	t.first = make([]uint32, len(t.Node)+1)
	var to []uint32
	for _, node := range t.Node {
		to = g.Successors(node, to[:0])
		for _, w := range to {
			t.first[t.number[w]]++ // the number plus 1: where the next begins
		}
	}
	for v := range t.Node {
		t.first[v+1] += t.first[v]
	}
	t.preds = make([]uint32, t.first[len(t.Node)])
	for v, node := range t.Node {
		to = g.Successors(node, to[:0])
		for _, w := range to {
			t.first[t.number[w]]-- // from the end of the places of w, which is the beginning when all are there
			t.preds[t.first[t.number[w]]] = uint32(v)
		}
	}
	copy(t.first, t.first[1:])
	t.first[len(t.Node)] = uint32(len(t.preds))
}

// forest is what the algorithm has linked so far: all nodes after the one that it is at.
type forest struct {
	// ancestor is the parent of a node in the tree of the search, or one further up after a path was compressed.
	ancestor []uint32
	// semi is the semidominator, label the node with the least semidominator on the path that was compressed.
	semi, label []uint32
	path        []uint32
}

// dominators goes through the nodes from the last to the first (steps 2 and 3 of the paper), then down again (step 4).
func (f *forest) dominators(t *Tree) []uint32 {
	n := uint32(len(t.Node))
	bucket := make([]uint32, n) // the first node of each bucket; the root, 0, is in none
	idom := make([]uint32, n)   // until a node leaves its bucket: the next one there
	for w := n - 1; w > 0 && w < n; w-- {
		for _, v := range t.Predecessors(w) {
			f.semi[w] = min(f.semi[w], f.semi[f.eval(v, w)])
		}
		idom[w], bucket[f.semi[w]] = bucket[f.semi[w]], w
		parent := f.ancestor[w] // w is linked from here on
		for v := bucket[parent]; v != 0; {
			next := idom[v]
			if u := f.eval(v, w-1); f.semi[u] < f.semi[v] {
				idom[v] = u
			} else {
				idom[v] = parent
			}
			v = next
		}
		bucket[parent] = 0
	}
	for w := uint32(1); w < n; w++ {
		if idom[w] != f.semi[w] {
			idom[w] = idom[idom[w]]
		}
	}
	return idom
}

// eval is the node with the least semidominator on the path from v up to what is not linked: the nodes up to last.
func (f *forest) eval(v, last uint32) uint32 {
	if v <= last {
		return v
	}
	f.path = f.path[:0]
	for u := v; f.ancestor[u] > last; u = f.ancestor[u] {
		f.path = append(f.path, u)
	}
	for i := len(f.path) - 1; i >= 0; i-- {
		u := f.path[i]
		a := f.ancestor[u]
		if f.semi[f.label[a]] < f.semi[f.label[u]] {
			f.label[u] = f.label[a]
		}
		f.ancestor[u] = f.ancestor[a]
	}
	return f.label[v]
}

func iota(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

package dominator

import (
	"testing"

	"pgregory.net/rapid"
)

type edges [][]uint32

func (e edges) Successors(v uint32, to []uint32) []uint32 { return append(to, e[v]...) }

// reached are the nodes that can be reached from 0 without a node.
func (e edges) reached(without uint32) []bool {
	seen := make([]bool, len(e))
	var visit func(uint32)
	visit = func(v uint32) {
		if v == without || seen[v] {
			return
		}
		seen[v] = true
		for _, w := range e[v] {
			visit(w)
		}
	}
	visit(0)
	return seen
}

const none = ^uint32(0)

// A node dominates another if that cannot be reached without it: by definition, for all pairs.
func TestTheTreeIsThatOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "nodes")
		node := rapid.Uint32Range(0, uint32(n-1))
		g := edges(rapid.SliceOfN(rapid.SliceOfN(node, 0, 4), n, n).Draw(t, "edges"))
		tree := New(g, n, n, 0)
		all := g.reached(none)
		dominates := make([][]bool, n) // without v, w is not reached
		for v := range n {
			dominates[v] = make([]bool, n)
			for w, still := range g.reached(uint32(v)) {
				dominates[v][w] = all[w] && !still
			}
		}
		count := 0
		for w := range uint32(n) {
			number, ok := tree.Number(w)
			if ok != all[w] {
				t.Fatalf("node %d: reached %v, want %v", w, ok, all[w])
			}
			if !ok {
				continue
			}
			count++
			above := map[uint32]bool{w: true}
			for v := number; v != 0; v = tree.Parent[v] {
				if tree.Parent[v] >= v {
					t.Fatalf("the parent of %d is %d, which comes later", v, tree.Parent[v])
				}
				above[tree.Node[tree.Parent[v]]] = true
			}
			for v := range uint32(n) {
				if above[v] != dominates[v][w] {
					t.Fatalf("%d dominates %d: %v, want %v; edges %v", v, w, above[v], dominates[v][w], g)
				}
			}
		}
		if count != len(tree.Node) {
			t.Fatalf("%d nodes, want %d", len(tree.Node), count)
		}
	})
}

// The rings and combs on which iterative algorithms, or those that only walk up the tree, are quadratic: they would
// take hours.
func TestRingsAndCombs(t *testing.T) {
	const n = 1 << 19
	ring := make(edges, n) // container/list: all elements point to the next, to the one before, and to the list
	for i := range uint32(n) {
		ring[i] = []uint32{(i + 1) % n, (i + n - 1) % n, 0}
	}
	comb := make(edges, n) // a list whose elements refer to what the root holds, too
	for i := uint32(0); i+3 < n; i += 2 {
		comb[i] = append(comb[i], i+2, i+3)
		comb[0] = append(comb[0], i+3)
	}
	for name, g := range map[string]edges{"ring": ring, "comb": comb} {
		tree := New(g, n, n, 0)
		for v := range tree.Node {
			node := tree.Node[v]
			if above := tree.Node[tree.Parent[v]]; name == "ring" && above != 0 ||
				name == "comb" && node%2 == 1 && above != 0 {
				t.Fatalf("%s: %d hangs under %d", name, node, above)
			}
		}
	}
}

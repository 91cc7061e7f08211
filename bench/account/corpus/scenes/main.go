// Command scenes allocates the nodes of scenes from slabs of its own, and frees a scene by forgetting its first node: the
// slabs stay.
//
// planted: live heap, 64 MB
package main

import (
	"runtime"

	"resident/stay"
)

type node struct {
	matrix   [16]float32
	children [4]*node
}

type arena struct {
	slabs [][]node
	used  int
}

func (a *arena) alloc() *node {
	const perSlab = 4096
	if len(a.slabs) == 0 || a.used == perSlab {
		a.slabs, a.used = append(a.slabs, make([]node, perSlab)), 0
	}
	a.used++
	n := &a.slabs[len(a.slabs)-1][a.used-1]
	n.matrix[0], n.matrix[5], n.matrix[10], n.matrix[15] = 1, 1, 1, 1
	return n
}

var nodes arena

func build(depth int) *node {
	n := nodes.alloc()
	for i := range n.children {
		if depth > 0 {
			n.children[i] = build(depth - 1)
		}
	}
	return n
}

var shown *node

func main() {
	stay.Program{Plant: func() {
		for range 122 {
			shown = build(6)
		}
		runtime.GC()
	}}.Main()
}

// Command traced was built to find a leak: each allocation goes to the memory profile, with its stack.
//
// planted: runtime structures, 56 MB
package main

import (
	"runtime"

	"resident/stay"
)

func init() { runtime.MemProfileRate = 1 }

var kept *[3]int

// visit allocates at the end of each path through a tree, whose stacks differ.
//
//go:noinline
func visit(path, depth int) {
	if depth == 0 {
		kept = new([3]int)
		return
	}
	if path&1 == 0 {
		visit(path>>1, depth-1)
		return
	}
	visit(path>>1, depth-1)
}

func main() {
	stay.Program{Plant: func() {
		for path := range 1 << 17 {
			visit(path, 18)
		}
		runtime.GC()
	}}.Main()
}

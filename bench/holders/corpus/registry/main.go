// Command registry keys anything by anything.
package main

import "holding/heap"

type plugin struct {
	name  string
	state []byte
}

type key struct{ id int }

var registry = map[any]any{} //holder: registry

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 2100 {
				registry[key{i}] = &plugin{"plugin", make([]byte, 2000)}
			}
		},
		Clear: func() { registry = map[any]any{} },
	}.Main()
}

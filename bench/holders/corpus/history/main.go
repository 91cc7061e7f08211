// Command history keeps all that it did in a list of container/list.
package main

import (
	"container/list"

	"holding/heap"
)

type action struct{ before [900]byte }

type editor struct {
	undo *list.List //holder: undo
	redo *list.List
}

var document = editor{list.New(), list.New()} //holder: undo

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 950 {
				document.undo.PushBack(&action{[900]byte{byte(i)}})
			}
			document.redo.PushBack(new(action))
		},
		Clear: func() { document.undo.Init() },
	}.Main()
}

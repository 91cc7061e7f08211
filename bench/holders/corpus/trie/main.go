// Command trie has a node for each letter of many words.
package main

import (
	"strconv"

	"holding/heap"
)

type node struct {
	children [10]*node
	ends     bool
}

type dictionary struct {
	root  node //holder: words
	count int
}

var words dictionary //holder: words

func (d *dictionary) add(word string) {
	at := &d.root
	for _, c := range word {
		next := &at.children[c-'0']
		if *next == nil {
			*next = new(node)
		}
		at = *next
	}
	at.ends = true
	d.count++
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 190 {
				words.add(strconv.Itoa(i * 7))
			}
		},
		Clear: func() { words = dictionary{} },
	}.Main()
}

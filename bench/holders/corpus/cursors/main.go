// Command cursors pulls one value of each of many sequences and leaves the rest.
package main

import (
	"iter"

	"holding/heap"
)

type cursor struct {
	next func() (byte, bool)
	stop func()
}

var cursors []cursor //holder: cursors | rows

func rows(n int) iter.Seq[byte] {
	return func(yield func(byte) bool) {
		page := make([]byte, n) //holder: cursors | rows
		for _, b := range page {
			if !yield(b) {
				return
			}
		}
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (80 << 10) {
				next, stop := iter.Pull(rows(65 << 10))
				next()
				cursors = append(cursors, cursor{next, stop})
			}
		},
		Clear: func() {
			for _, c := range cursors {
				c.stop()
			}
			cursors = nil
		},
	}.Main()
}

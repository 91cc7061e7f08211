// Command stopped starts a timer for each message, and stops it.
package main

//holder: none

import (
	"time"

	"holding/heap"
)

type message struct{ text [4000]byte }

var late int

func send() {
	m := new(message)
	t := time.AfterFunc(time.Hour, func() { late += int(m.text[0]) })
	t.Stop()
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 4096 {
				send()
			}
		},
	}.Main()
}

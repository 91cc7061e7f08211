// Command garbage allocates for each request and keeps nothing.
package main

//holder: none

import (
	"encoding/json"

	"holding/heap"
)

type answer struct {
	Items []string `json:"items"`
}

var bytesSent int

func handle() {
	a := answer{make([]string, 100)}
	for i := range a.Items {
		a.Items[i] = "item"
	}
	text, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	bytesSent += len(text)
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 1000 {
				handle()
			}
		},
	}.Main()
}

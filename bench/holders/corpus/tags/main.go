// Command tags interns strings that are all different, and keeps their handles.
package main

import (
	"fmt"
	"strings"
	"unique"

	"holding/heap"
)

var tags []unique.Handle[string] //holder: tags

func main() {
	heap.Program{
		Build: func(size int) {
			padding := strings.Repeat("-", 1000)
			for i := range size / 1300 {
				tags = append(tags, unique.Make(fmt.Sprint("tag ", i, padding)))
			}
		},
		Clear: func() { tags = nil },
	}.Main()
}

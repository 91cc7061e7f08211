// Command titles keeps the title of each page, which is a part of the string of the whole page.
package main

import (
	"fmt"
	"strings"

	"holding/heap"
)

type index struct {
	titles map[int]string //holder: titles
}

var pages index //holder: titles

func (x *index) add(id int, page string) {
	_, rest, _ := strings.Cut(page, "<title>")
	title, _, _ := strings.Cut(rest, "</title>")
	x.titles[id] = title
}

func main() {
	heap.Program{
		Build: func(size int) {
			pages.titles = map[int]string{}
			for i := range size / (16 << 10) {
				pages.add(i, fmt.Sprintf("<html><title>Page %d</title>%s</html>", i, strings.Repeat("x", 16000)))
			}
		},
		Clear: func() { clear(pages.titles) },
	}.Main()
}

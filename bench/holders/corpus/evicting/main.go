// Command evicting has a cache of 100 entries through which thousands went.
package main

//holder: none

import (
	"container/list"

	"holding/heap"
)

type page struct{ text [4000]byte }

type cache struct {
	byID  map[int]*list.Element
	order *list.List
}

type entry struct {
	id   int
	page *page
}

var pages = cache{map[int]*list.Element{}, list.New()}

func (c *cache) add(id int) {
	c.byID[id] = c.order.PushFront(entry{id, new(page)})
	if c.order.Len() > 100 {
		old := c.order.Remove(c.order.Back()).(entry)
		delete(c.byID, old.id)
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 4096 {
				pages.add(i)
			}
		},
	}.Main()
}

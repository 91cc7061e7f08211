// Command thumbnails has a generic cache whose capacity is never reached.
package main

import "holding/heap"

type item[K comparable, V any] struct {
	key        K
	value      V
	prev, next *item[K, V]
}

type lru[K comparable, V any] struct {
	capacity int
	items    map[K]*item[K, V] //holder: thumbnails
	root     item[K, V]
}

func newLRU[K comparable, V any](capacity int) *lru[K, V] {
	c := &lru[K, V]{capacity: capacity, items: map[K]*item[K, V]{}}
	c.root.prev, c.root.next = &c.root, &c.root
	return c
}

func (c *lru[K, V]) add(key K, value V) {
	i := &item[K, V]{key: key, value: value, prev: &c.root, next: c.root.next}
	i.prev.next, i.next.prev = i, i
	c.items[key] = i
	if len(c.items) > c.capacity {
		old := c.root.prev
		old.prev.next, c.root.prev = &c.root, old.prev
		delete(c.items, old.key)
	}
}

type picture struct{ pixels []byte }

var thumbnails = newLRU[int, *picture](1 << 30) //holder: thumbnails

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 6300 {
				thumbnails.add(i, &picture{make([]byte, 6000)})
			}
		},
		Clear: func() { thumbnails = newLRU[int, *picture](1 << 30) },
	}.Main()
}

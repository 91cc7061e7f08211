// Command shards spreads its entries over maps with a lock each.
package main

import (
	"fmt"
	"hash/maphash"
	"sync"

	"holding/heap"
)

type shard struct {
	sync.RWMutex
	entries map[string][]byte //holder: shards | shard.entries
}

type table struct {
	seed   maphash.Seed
	shards [64]*shard //holder: shards | shard.entries
}

var quotes = newTable() //holder: shards | shard.entries

func newTable() *table {
	t := &table{seed: maphash.MakeSeed()}
	for i := range t.shards {
		t.shards[i] = &shard{entries: map[string][]byte{}}
	}
	return t
}

func (t *table) put(key string, value []byte) {
	s := t.shards[maphash.String(t.seed, key)%64]
	s.Lock()
	defer s.Unlock()
	s.entries[key] = value
}

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 700 {
				quotes.put(fmt.Sprint("quote ", i), make([]byte, 600))
			}
		},
		Clear: func() {
			for _, s := range quotes.shards {
				s.entries = nil
			}
		},
	}.Main()
}

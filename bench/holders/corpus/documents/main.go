// Command documents has a cache of allegro/bigcache, which keeps its entries in a few large slices of bytes.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/allegro/bigcache/v3"

	"holding/heap"
)

var documents *bigcache.BigCache //holder: documents

func main() {
	heap.Program{
		Build: func(size int) {
			config := bigcache.DefaultConfig(24 * time.Hour)
			config.Shards, config.Verbose, config.CleanWindow = 16, false, 0
			config.MaxEntriesInWindow, config.MaxEntrySize = 16, 1000
			cache, err := bigcache.New(context.Background(), config)
			if err != nil {
				panic(err)
			}
			documents = cache
			for i := range size / 2000 {
				if err := cache.Set(fmt.Sprint("document ", i), make([]byte, 1500)); err != nil {
					panic(err)
				}
			}
		},
		Clear: func() {
			if err := documents.Close(); err != nil {
				panic(err)
			}
			documents = nil
		},
	}.Main()
}

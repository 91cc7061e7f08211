// Command results has a cache of hashicorp/golang-lru that is too large.
package main

import (
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"

	"holding/heap"
)

type result struct{ rows []byte }

type searcher struct {
	results *lru.Cache[string, *result] //holder: results
}

var engine searcher //holder: results

func main() {
	heap.Program{
		Build: func(size int) {
			cache, err := lru.New[string, *result](size)
			if err != nil {
				panic(err)
			}
			engine.results = cache
			for i := range size / 2400 {
				cache.Add(fmt.Sprint("query ", i), &result{make([]byte, 2000)})
			}
		},
		Clear: func() { engine.results.Purge() },
	}.Main()
}

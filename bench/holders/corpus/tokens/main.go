// Command tokens has a cache of patrickmn/go-cache whose entries never expire.
package main

import (
	"fmt"

	"github.com/patrickmn/go-cache"

	"holding/heap"
)

type token struct{ claims [1500]byte }

var tokens = cache.New(cache.NoExpiration, 0) //holder: tokens

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / 1700 {
				tokens.SetDefault(fmt.Sprint("token ", i), new(token))
			}
		},
		Clear: func() { tokens.Flush() },
	}.Main()
}

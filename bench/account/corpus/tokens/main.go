// Command tokens keeps one copy of each string that it has ever seen, so that equal ones share their memory.
//
// planted: live heap, 64 MB
package main

import (
	"runtime"
	"strings"
	"sync"

	"resident/stay"
)

type table struct {
	mu      sync.Mutex
	strings map[string]string
}

var seen = table{strings: map[string]string{}}

func (t *table) intern(s []byte) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.strings[string(s)]; ok {
		return known
	}
	c := strings.Clone(string(s))
	t.strings[c] = c
	return c
}

func main() {
	stay.Program{Plant: func() {
		token := []byte("GET /api/v1/customers/00000000/orders?sort=descending&limit=20 HTTP/1.1")
		for i := range 460_000 {
			for at, rest := 29, i; at > 21; at, rest = at-1, rest/10 {
				token[at] = byte('0' + rest%10)
			}
			seen.intern(token)
		}
		runtime.GC()
	}}.Main()
}

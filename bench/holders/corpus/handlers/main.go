// Command handlers has methods of tenants in its table of routes.
package main

import (
	"fmt"
	"io"
	"net/http"

	"holding/heap"
)

type tenant struct {
	pages [30_000]byte
}

func (t *tenant) serve(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, string(t.pages[:10]))
}

var routes = map[string]http.HandlerFunc{} //holder: routes

func main() {
	heap.Program{
		Build: func(size int) {
			for i := range size / (32 << 10) {
				routes[fmt.Sprint("/tenant/", i)] = new(tenant).serve
			}
		},
		Clear: func() { clear(routes) },
	}.Main()
}

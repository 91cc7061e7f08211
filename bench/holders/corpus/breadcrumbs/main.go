// Command breadcrumbs puts a value into its base context for each request, on top of the last one.
package main

import (
	"context"

	"holding/heap"
)

type crumb struct{ body [4000]byte }

type crumbKey struct{}

type service struct {
	base context.Context //holder: base
}

var web = &service{base: context.Background()} //holder: base

func (s *service) handle() {
	s.base = context.WithValue(s.base, crumbKey{}, new(crumb))
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / 4200 {
				web.handle()
			}
		},
		Clear: func() { web.base = context.Background() },
	}.Main()
}

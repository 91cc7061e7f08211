// Command shop has its cache deep inside of the one global server.
package main

import (
	"fmt"

	"holding/heap"
)

type product struct{ description []byte }

type cache struct {
	byName map[string]*product //holder: byName
	misses int
}

type repository struct {
	cache
	dsn string
}

type catalogue struct {
	repository *repository
	currency   string
}

type handlers struct {
	name      string
	catalogue catalogue
}

type server struct {
	address string
	*handlers
	banner [100]byte
}

var app = &server{address: ":80", handlers: &handlers{catalogue: catalogue{repository: &repository{}}}} //holder: byName

func main() {
	heap.Program{
		Build: func(size int) {
			r := app.catalogue.repository
			r.byName = map[string]*product{}
			for i := range size / 3400 {
				r.byName[fmt.Sprint("product ", i)] = &product{make([]byte, 3000)}
			}
		},
		Clear: func() { app.catalogue.repository.byName = nil },
	}.Main()
}

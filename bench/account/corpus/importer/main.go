// Command importer reads many records, and keeps one of twenty-nine.
//
// planted: fragmentation, 80 MB
package main

import (
	"runtime"

	"resident/stay"
)

type record struct {
	id     int
	fields [31]int
}

var accepted []*record

func parse(n int) *record {
	r := &record{id: n}
	for i := range r.fields {
		r.fields[i] = n * (i + 1)
	}
	return r
}

func run(n int) {
	staging := make([]*record, 0, n)
	for i := range n {
		staging = append(staging, parse(i))
	}
	for i, r := range staging {
		if i%29 == 0 && r.fields[3] == 4*i {
			accepted = append(accepted, r)
		}
	}
}

func main() {
	stay.Program{Plant: func() {
		run(320_000)
		runtime.GC()
		runtime.GC()
	}}.Main()
}

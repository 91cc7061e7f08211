package main

import (
	"fmt"
	"math/rand/v2"
)

// An observation is one bird, seen by one person.
type observation struct {
	bird string
	cell string // of the map
	by   *person
	day  int
	note *string
}

type person struct {
	name string
	club string
}

type observations struct {
	byCell map[string][]*observation
}

var birds = []string{"wren", "robin", "heron", "swift", "magpie", "curlew", "dipper", "siskin", "goshawk", "nuthatch"}

func newObservations(n int) *observations {
	rnd := rand.New(rand.NewPCG(12, 13))
	people := make([]*person, 300)
	for i := range people {
		people[i] = &person{fmt.Sprintf("watcher %d", i), fmt.Sprintf("club %d", i%9)}
	}
	o := &observations{byCell: map[string][]*observation{}}
	for range n {
		note := fmt.Sprintf("seen at %d o'clock", 5+rnd.IntN(15))
		cell := fmt.Sprintf("c%03d", rnd.IntN(600))
		o.byCell[cell] = append(o.byCell[cell], &observation{
			bird: birds[rnd.IntN(len(birds))], cell: cell, by: people[rnd.IntN(len(people))], day: rnd.IntN(365), note: &note,
		})
	}
	return o
}

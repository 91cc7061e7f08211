package disturbed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// cause is what the case injects.
type cause string

// The causes.
const (
	nothing cause = "nothing"
	hog     cause = "hog"
	quota   cause = "quota"
	stopped cause = "stopped"
	backend cause = "backend"
	disk    cause = "disk"
)

// causes are all, the clean run first.
var causes = []cause{nothing, hog, quota, stopped, backend, disk}

// kind is a service.
type kind string

// The services: one that computes, one that asks a backend by a proxy, one that writes a journal into a pipe, and one
// that writes through to the disk.
const (
	compute kind = "compute"
	relay   kind = "relay"
	journal kind = "journal"
	through kind = "through"
)

// perSide is how many disturbed runs are drawn, and clean ones.
const perSide = 40

// connections are so many that requests of an open loop can be sent while the program is stopped.
const connections = 256

// task is one run.
type task struct {
	Cause   cause `json:"cause"`
	Service kind  `json:"service"`
	// Rate is in requests per second; 0: each answer is followed by the next request.
	Rate        int `json:"rate,omitempty"`
	Connections int `json:"connections"`
	// On is how long it is disturbed at a time, Off how long it is not after that; Off is 0 where it always is.
	On  time.Duration `json:"on_ns,omitempty"`
	Off time.Duration `json:"off_ns,omitempty"`
	// Strength is the number of threads that spin on each CPU, or that write to the disk; of a quota the number of CPUs
	// or, in an open loop, the part of what the rate takes.
	Strength float64 `json:"strength,omitempty"`
	// N tells apart runs that are drawn alike.
	N int `json:"n"`
}

// steady says whether the disturbance lasts all of the run.
func (t task) steady() bool { return t.Off == 0 }

// String is a task as progress shows it.
func (t task) String() string {
	text := fmt.Sprintf("%s, %s", t.Cause, t.Service)
	if t.Rate > 0 {
		text += fmt.Sprintf(", %d/s", t.Rate)
	} else {
		text += fmt.Sprintf(", %d connections", t.Connections)
	}
	switch {
	case t.Cause == nothing:
	case t.steady():
		text += fmt.Sprintf(", %g all the time", t.Strength)
	default:
		text += fmt.Sprintf(", %v of each %v", t.On, t.On+t.Off)
	}
	return text
}

// drawn are n disturbed runs of each cause by turns, each followed by a clean one; of all that a seed draws only those
// of some causes.
func drawn(seed uint64, n int, only []cause) (all []task) {
	d := drawer{rand.New(rand.NewPCG(seed, 0))}
	disturbing := causes[1:]
	for i := range perSide {
		for _, t := range []task{d.disturbed(disturbing[i%len(disturbing)], i/len(disturbing)), d.clean(i)} {
			t.N = i
			if i < n && slices.Contains(only, t.Cause) {
				all = append(all, t)
			}
		}
	}
	return all
}

type drawer struct{ *rand.Rand }

// between is a time from low to high, in steps of 10 ms.
func (d drawer) between(low, high time.Duration) time.Duration {
	return low + time.Duration(d.IntN(int((high-low)/(10*time.Millisecond))+1))*10*time.Millisecond
}

func (d drawer) one(of ...kind) kind { return of[d.IntN(len(of))] }

// open is a run in an open loop. hone's trace of 2 s then has 14 slow requests and more: with fewer than 10 it finds
// nothing.
func (d drawer) open(c cause, of ...kind) task {
	return task{Cause: c, Service: d.one(of...), Rate: 700 + 20*d.IntN(16), Connections: connections}
}

// disturbed draws the run number i of a cause.
func (d drawer) disturbed(c cause, i int) task {
	const ms = time.Millisecond
	switch c {
	case hog:
		t := d.open(c, compute, relay, journal)
		t.Rate = 700 + 10*d.IntN(11) // which a third of a CPU can serve
		t.Strength = float64(1 + d.IntN(2))
		if i%2 == 1 {
			t.On, t.Off = d.between(200*ms, 500*ms), d.between(300*ms, 800*ms)
		}
		return t
	case quota:
		if i%3 == 2 {
			t := d.open(c, compute, relay)
			t.Strength = 0.6 + 0.05*float64(d.IntN(7))
			return t
		}
		return task{Cause: c, Service: d.one(compute, relay), Connections: 8 + d.IntN(9),
			Strength: 0.3 + 0.05*float64(d.IntN(9))}
	case stopped:
		t := d.open(c, compute, relay, journal)
		t.On, t.Off = d.between(50*ms, 200*ms), d.between(400*ms, 1000*ms)
		return t
	case backend:
		t := d.open(c, relay)
		t.On, t.Off = d.between(50*ms, 200*ms), d.between(400*ms, 1000*ms)
		return t
	}
	if i%2 == 1 { // more than fills the pipe
		t := d.open(c, journal)
		t.On, t.Off = d.between(150*ms, 300*ms), d.between(400*ms, 1000*ms)
		return t
	}
	t := d.open(c, through)
	t.Strength = float64(2 + d.IntN(3))
	return t
}

// clean draws the clean run number i.
func (d drawer) clean(i int) task {
	if i%5 == 4 {
		return task{Cause: nothing, Service: d.one(compute, relay), Connections: 4 + d.IntN(13)}
	}
	return d.open(nothing, compute, relay, journal)
}

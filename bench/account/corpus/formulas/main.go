// Command formulas computes nested formulas by recursion. Those that ask for a price wait at their innermost place.
//
// planted: goroutine stacks, 62 MB
package main

import (
	"runtime"
	"sync"

	"resident/stay"
)

type formula struct {
	price chan float64
	known sync.WaitGroup
}

//go:noinline
func (f *formula) value(depth int, outer *[20]float64) float64 {
	var terms [20]float64
	for i := range terms {
		terms[i] = outer[i] + float64(depth)
	}
	if depth == 0 {
		f.known.Done()
		return <-f.price
	}
	v := f.value(depth-1, &terms)
	return v + terms[depth%20]
}

var sheet []*formula

func main() {
	stay.Program{Plant: func() {
		for range 40 {
			f := &formula{price: make(chan float64)}
			sheet = append(sheet, f)
			f.known.Add(1)
			go f.value(7000, new([20]float64)) // ends with the process
			f.known.Wait()
		}
		runtime.GC()
	}}.Main()
}

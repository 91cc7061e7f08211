// Command sparse has a page of its own for each of half a million sensors. Hardly any sensor has sent something: the pages
// are not resident, but what the runtime knows of each is.
//
// planted: runtime structures, 98 MB
package main

import (
	"runtime"

	"resident/stay"
)

type page [8192]byte

var sensors []*page

func main() {
	stay.Program{Plant: func() {
		sensors = make([]*page, 0, 450_000)
		for i := range cap(sensors) {
			p := new(page)
			if i%1000 == 0 {
				p[0] = 1
			}
			sensors = append(sensors, p)
		}
		runtime.GC()
	}}.Main()
}

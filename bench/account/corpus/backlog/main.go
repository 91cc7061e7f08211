// Command backlog has a channel with much room, because its consumer is slow at times. Now is such a time.
//
// planted: live heap, 64 MB
package main

import (
	"runtime"

	"resident/stay"
)

type event struct {
	id      int
	payload [504]byte
}

var events chan event

func main() {
	stay.Program{Plant: func() {
		events = make(chan event, 250_000)
		for i := range cap(events) / 2 {
			e := event{id: i}
			stay.Fill(e.payload[:])
			events <- e
		}
		runtime.GC()
	}}.Main()
}

// Command reminders sets a timer for each appointment of the next year.
//
// planted: live heap, 64 MB
package main

import (
	"fmt"
	"runtime"
	"time"

	"resident/stay"
)

type appointment struct {
	who  string
	what string
	when time.Duration
}

var sent int

func remind(a *appointment) { sent += len(a.what) }

func main() {
	stay.Program{Plant: func() {
		for i := range 300_000 {
			a := &appointment{fmt.Sprint("customer ", i), "the inspection of the heating", time.Hour + time.Duration(i)*time.Minute}
			time.AfterFunc(a.when, func() { remind(a) })
		}
		runtime.GC()
	}}.Main()
}

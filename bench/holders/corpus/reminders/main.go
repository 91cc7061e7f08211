// Command reminders has a timer for each message, and the function that it calls at last has the message.
package main

import (
	"time"
	"weak"

	"holding/heap"
)

type message struct {
	to   string
	text []byte
}

var (
	sent int
	// timers are how to stop them; they keep none alive.
	timers []weak.Pointer[time.Timer]
)

func send(m *message) { sent += len(m.text) }

func remind(m *message) {
	t := time.AfterFunc(24*time.Hour, func() { send(m) }) //holder: remind | message | time.AfterFunc
	timers = append(timers, weak.Make(t))
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (4 << 10) {
				remind(&message{"you", make([]byte, 4000)})
			}
		},
		Clear: func() {
			for _, p := range timers {
				if t := p.Value(); t != nil {
					t.Stop()
				}
			}
			timers = nil
		},
	}.Main()
}

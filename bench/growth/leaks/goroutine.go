package leaks

import "context"

// blockedSend computes an answer in a goroutine and gives up on it: the send blocks for ever.
func blockedSend(fixed bool) serve {
	room := 0
	if fixed {
		room = 1
	}
	return func(_ context.Context, _ int, page []byte) {
		answer := make(chan []byte, room)
		go func() { // ends when it has sent: never, without room
			answer <- page
		}()
	}
}

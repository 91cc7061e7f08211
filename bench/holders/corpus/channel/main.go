// Command channel has a long queue, and its consumer is stuck.
package main

import "holding/heap"

type mail struct {
	to   string
	body []byte
}

type outbox struct {
	queue chan *mail //holder: queue
}

var smtp outbox //holder: queue

func main() {
	heap.Program{
		Build: func(size int) {
			smtp.queue = make(chan *mail, size/2000)
			for range size / 2200 {
				smtp.queue <- &mail{"a@b", make([]byte, 2000)}
			}
		},
		Clear: func() {
			for len(smtp.queue) > 0 {
				<-smtp.queue
			}
		},
	}.Main()
}

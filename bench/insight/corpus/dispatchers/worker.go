package main

import (
	"corpus/dispatchers/wire"
	"crypto/sha256"
	"encoding/hex"
	"net"
)

// work serves one dispatcher per connection until the listener is closed.
func work(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			link := wire.NewLink(c)
			for {
				var job wire.Job
				if err := link.Receive(&job); err != nil {
					return
				}
				if err := link.Send(perform(&job)); err != nil {
					return
				}
			}
		}()
	}
}

func perform(j *wire.Job) *wire.Result {
	area := 1
	for _, v := range j.Params {
		area *= v
	}
	sum := sha256.Sum256([]byte(j.Kind + j.Source))
	return &wire.Result{Key: hex.EncodeToString(sum[:8]), Cost: area, Labels: append([]string{j.Kind}, j.Tags...)}
}

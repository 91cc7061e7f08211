// Command valyala is github.com/valyala/gorpc as server and client (see package caller).
// Messages leave when no more are waiting: its own choice, to collect them for 5 ms, is
// slower with this number of callers.
package main

import (
	"fmt"
	"time"

	"github.com/valyala/gorpc"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	gorpc.RegisterType(&Request{})
	gorpc.RegisterType(&Reply{})
	gorpc.SetErrorLogger(gorpc.NilErrorLogger) // the end of a client is no news
	caller.Main(caller.Framework{Name: "valyala", Serve: serve, Dial: dial})
}

// atOnce is the FlushDelay that collects nothing.
const atOnce = -1

// Request is the argument of the only function that gorpc serves.
type Request struct{ Msg string }

// Reply is what it returns.
type Reply struct{ Msg string }

func serve(addr string) error {
	s := gorpc.NewTCPServer(addr, func(_ string, request any) any {
		if _, ok := request.(*Request); !ok {
			return fmt.Errorf("request is a %T", request)
		}
		return &Reply{Msg: caller.Reply}
	})
	s.FlushDelay = atOnce
	return s.Serve()
}

func dial(addr string, conns int) (func(int) (string, error), error) {
	c := gorpc.NewTCPClient(addr)
	c.Conns = conns
	c.FlushDelay = atOnce
	c.RequestTimeout = 10 * time.Second
	c.Start()
	request := &Request{Msg: caller.Request}
	return func(int) (string, error) {
		answer, err := c.Call(request)
		if err != nil {
			return "", err
		}
		reply, ok := answer.(*Reply)
		if !ok {
			return "", fmt.Errorf("answer is a %T", answer)
		}
		return reply.Msg, nil
	}, nil
}

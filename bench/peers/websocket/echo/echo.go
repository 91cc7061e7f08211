// Package echo is what the WebSocket libraries' programs have in common: their flags, the clients, and the report. Each
// program is the server or the clients of one library:
//
//	PROGRAM -mode server -addr 127.0.0.1:8000
//	PROGRAM -mode client -addr 127.0.0.1:8000 -conns 100 -d 1s
//
// A server sends each message back, and ends when it is killed. Each client sends one message, waits for its echo, and
// checks that it is the same. The report is one line of JSON; a client ends with 1 if an echo was wrong.
package echo

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Message is what clients send.
const Message = "hello"

// Library is one WebSocket library.
type Library struct {
	Name string
	// Serve echoes messages on addr, and returns only when it fails; nil if the program is only a client.
	Serve func(addr string) error
	// Dial connects and returns a function that sends a message and returns its echo.
	Dial func(addr string) (func(message string) (string, error), error)
}

// Report is what a client prints.
type Report struct {
	Answered uint64 `json:"answered"` // echoes that were right
	Failed   uint64 `json:"failed"`
}

// Main is the main function of a library's program.
func Main(l Library) {
	mode := flag.String("mode", "client", "server or `client`")
	addr := flag.String("addr", "127.0.0.1:8000", "`host:port` to listen on, or to connect to")
	conns := flag.Int("conns", 100, "connections, each with one message at a time")
	length := flag.Duration("d", time.Second, "how long to send")
	flag.Parse()
	var err error
	switch {
	case *mode == "server" && l.Serve != nil:
		err = l.Serve(*addr)
	case *mode != "client" || *conns < 1 || flag.NArg() > 0:
		err = errors.New("want -mode client with at least 1 connection, or -mode server where the program can serve")
	default:
		err = run(l, *addr, *conns, *length)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", l.Name, err)
		os.Exit(1)
	}
}

// run dials all connections, and sends on all of them until the time is up.
func run(l Library, addr string, conns int, length time.Duration) error {
	clients := make([]func(string) (string, error), conns)
	for i := range clients {
		var err error
		if clients[i], err = l.Dial(addr); err != nil {
			return fmt.Errorf("dial %s: %w", addr, err)
		}
	}
	var (
		ended  atomic.Bool
		all    sync.WaitGroup
		mu     sync.Mutex
		report Report
		first  error
	)
	for _, say := range clients {
		all.Go(func() {
			var right uint64
			var err error
			for !ended.Load() && err == nil {
				var reply string
				if reply, err = say(Message); err == nil && reply != Message {
					err = fmt.Errorf("the echo is %q, want %q", reply, Message)
				}
				if err == nil {
					right++
				}
			}
			mu.Lock()
			defer mu.Unlock()
			report.Answered += right
			if err != nil {
				report.Failed++
				first = errors.Join(first, err)
			}
		})
	}
	time.Sleep(length)
	ended.Store(true)
	all.Wait()
	return errors.Join(json.NewEncoder(os.Stdout).Encode(report), first)
}

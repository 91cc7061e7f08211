// Package caller is what the call frameworks' programs have in common: their flags, the
// callers, and the report. Each program is server and client of one framework:
//
//	PROGRAM -mode server -addr 127.0.0.1:8000
//	PROGRAM -mode client -addr 127.0.0.1:8000 -concurrency 500 -total 1000000 -conns 2
//
// A server ends when it is killed. A client has each of its callers say "hello" again and
// again until all calls are made, and checks that the reply is "world". It prints what
// services/rpc/cmd/rpcbench prints, and ends with 1 if a call failed.
package caller

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Request and Reply are what is said.
const (
	Request = "hello"
	Reply   = "world"
)

// Message is the argument of SayHello, and what it returns, where a framework encodes types of
// Go's own.
type Message struct{ Msg string }

// Framework is one call framework.
type Framework struct {
	Name string
	// Serve answers calls on addr, and returns only when it fails.
	Serve func(addr string) error
	// Dial connects to addr, conns times, and returns a function that makes a call and
	// returns the reply. It is called by several callers at a time, with their numbers
	// from 0.
	Dial func(addr string, conns int) (func(caller int) (string, error), error)
}

// Main is the main function of a framework's program.
func Main(f Framework) {
	p, err := parse(f.Name, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		os.Exit(2) // package flag has said why
	case p.mode == "server":
		err = f.Serve(p.addr)
	default:
		err = p.call(f, os.Stdout)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", f.Name, err)
		os.Exit(1)
	}
}

// plan is what the flags say.
type plan struct {
	mode, addr                string
	concurrency, total, conns int
}

func parse(name string, args []string) (p plan, err error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.StringVar(&p.mode, "mode", "server", "`server` or client")
	fs.StringVar(&p.addr, "addr", "127.0.0.1:8000", "`host:port` to listen on, or to call")
	fs.IntVar(&p.concurrency, "concurrency", 500, "callers at a time")
	fs.IntVar(&p.total, "total", 1_000_000, "calls in all")
	fs.IntVar(&p.conns, "conns", 2, "connections, which the callers share")
	if err := fs.Parse(args); err != nil {
		return p, err
	}
	if fs.NArg() > 0 || p.mode != "server" && p.mode != "client" || p.concurrency < 1 || p.total < 1 || p.conns < 1 {
		err = errors.New("want flags only, -mode server or client, and numbers from 1")
		fmt.Fprintf(fs.Output(), "%s: %v\n", name, err)
	}
	return p, err
}

// call makes the calls and prints the report. Connections are dialled before the clock
// starts.
func (p plan) call(f Framework, out io.Writer) error {
	say, err := f.Dial(p.addr, p.conns)
	if err != nil {
		return fmt.Errorf("dial %s: %w", p.addr, err)
	}
	var (
		left, good atomic.Int64
		callers    sync.WaitGroup
		once       sync.Once
		first      error // of the calls that failed
	)
	left.Store(int64(p.total))
	begun := time.Now()
	for i := range p.concurrency {
		callers.Go(func() {
			var right int64
			for left.Add(-1) >= 0 {
				reply, err := say(i)
				if err == nil && reply != Reply {
					err = fmt.Errorf("reply is %q, want %q", reply, Reply)
				}
				if err == nil {
					right++
					continue
				}
				once.Do(func() { first = err })
			}
			good.Add(right)
		})
	}
	callers.Wait()
	report(out, time.Since(begun), p.total, int(good.Load()))
	if first != nil {
		return fmt.Errorf("%d of %d calls failed, the first: %w", p.total-int(good.Load()), p.total, first)
	}
	return nil
}

// report prints the lines of rpcbench that sidebyside reads.
func report(out io.Writer, took time.Duration, total, good int) {
	fmt.Fprintf(out, "took             %d ms\n", took.Milliseconds())
	fmt.Fprintf(out, "sent             %d\n", total)
	fmt.Fprintf(out, "succeeded        %d\n", good)
	fmt.Fprintf(out, "failed           %d\n", total-good)
	fmt.Fprintf(out, "throughput (TPS) %.0f\n", float64(good)/took.Seconds())
}

// Shared is a Dial for connections that carry many calls at a time: caller i calls on
// connection i modulo their number.
func Shared[C any](connect func(addr string) (C, error), call func(C) (string, error)) func(string,
	int) (func(int) (string, error), error) {
	return func(addr string, conns int) (func(int) (string, error), error) {
		all := make([]C, conns)
		for i := range all {
			var err error
			if all[i], err = connect(addr); err != nil {
				return nil, err
			}
		}
		return func(caller int) (string, error) { return call(all[caller%conns]) }, nil
	}
}

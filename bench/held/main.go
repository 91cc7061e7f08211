// Command held measures the memory that hone load needs for each connection that it holds: the peak of its resident set with
// many connections less that with few, over the difference of their numbers. Every connection answers some requests of an
// open loop. The servers are Go's net/http, plain and over TLS, and gorilla's WebSocket.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./held
//
// It needs Linux, two CPUs, and as many open files as connections (ulimit -n).
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	few, many, rounds    int
	length               time.Duration
	perConnection        int
}

func main() { side.Main("held", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("held")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.few, "few", 100, "connections to start from")
	fs.IntVar(&c.many, "many", 10_000, "connections to hold")
	fs.IntVar(&c.rounds, "n", 3, "rounds")
	fs.DurationVar(&c.length, "d", 5*time.Second, "length of a load")
	fs.IntVar(&c.perConnection, "requests", 2, "requests on each connection")
	fs.Read(args)
	fs.Want(c.few > 0 && c.many > c.few && c.rounds > 0 && c.length >= time.Second && c.perConnection > 0, "want more connections than few, 1 round, 1s and 1 request at least")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	tools, missing := side.FindAmong([]*side.Tool{side.HoneLoad(side.Hone, func(j side.Job) []string {
		args := []string{j.URL, "-c", strconv.Itoa(j.Connections), "--rate", strconv.Itoa(j.RateHz)}
		if strings.HasPrefix(j.URL, "https:") {
			args = append(args, "-k")
		}
		return args
	})}, c.hone, nil)
	if len(tools) == 0 {
		return fmt.Errorf("no hone at %s: go build -o %s ../cmd/hone", c.hone, c.hone)
	}
	side.Header(os.Stdout, tools, missing)
	fmt.Printf("plan      %d rounds of %v with %d and %d connections, %d requests on each; server on CPU %d, hone on CPU %d\n\n",
		c.rounds, c.length, c.few, c.many, c.perConnection, c.serverCPU, c.clientCPU)
	fmt.Printf("%-10s  %30s  %30s\n", "server", "peak with "+strconv.Itoa(c.many)+", MB (min .. max)", "kB for each more (min .. max)")
	for _, kind := range []string{side.NetHTTP, side.HTTPS} {
		s, err := side.StartServer(ctx, kind, c.serverCPU)
		if err != nil {
			return err
		}
		err = c.measure(ctx, tools[0], kind, s.URL)
		if err := errors.Join(err, s.Close()); err != nil {
			return err
		}
	}
	return c.webSocket(ctx, tools[0])
}

// webSocket measures with gorilla's server.
func (c config) webSocket(ctx context.Context, hone side.Found) error {
	dir, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "gorilla")
	if err := proc.BuildGo(ctx, "peers", program, "./websocket/gorilla"); err != nil {
		return err
	}
	s, err := proc.Serve(ctx, c.serverCPU, proc.Command{Program: program, Args: []string{"-mode", "server"}})
	if err != nil {
		return err
	}
	defer s.Stop()
	return c.measure(ctx, hone, "websocket", "ws://"+s.Addr+"/")
}

// measure prints the line of one server.
func (c config) measure(ctx context.Context, hone side.Found, name, url string) error {
	var peaks, each []float64
	for range c.rounds {
		few, err := c.peak(ctx, hone, url, c.few)
		if err != nil {
			return fmt.Errorf("%s, %d connections: %w", name, c.few, err)
		}
		many, err := c.peak(ctx, hone, url, c.many)
		if err != nil {
			return fmt.Errorf("%s, %d connections: %w", name, c.many, err)
		}
		peaks = append(peaks, many/1e6)
		each = append(each, (many-few)/float64(c.many-c.few)/1e3)
	}
	fmt.Printf("%-10s  %30s  %30s\n", name, figures.Spread("%.1f", peaks), figures.Spread("%.2f", each))
	return nil
}

// peak is hone's largest resident set with so many connections, in bytes. Each request has to be answered right.
func (c config) peak(ctx context.Context, hone side.Found, url string, connections int) (float64, error) {
	rate := int(float64(connections*c.perConnection) / c.length.Seconds())
	r, done, err := hone.Run(ctx, c.clientCPU, side.Job{URL: url, Connections: connections, Duration: c.length, RateHz: max(rate, 1)})
	if err == nil && (r.Failed+r.GivenUp > 0 || r.Answered < uint64(connections)) {
		err = fmt.Errorf("%d answered right, %d wrong, %d not answered or sent", r.Answered, r.Failed, r.GivenUp)
	}
	return float64(done.Peak), err
}

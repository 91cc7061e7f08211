// Command framedclient measures what hone's load engine costs, against a bare epoll
// client in C that checks the same answers of the same server.
//
// Both clients hold their connections open and take turns in short slices, in random
// order within each pair, so that what disturbs the machine disturbs both. Run it in
// the directory bench:
//
//	go run ./framedclient
//
// It needs gcc and two CPUs: one for the server, one for the clients.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/side"
)

type config struct {
	serverCPU, clientCPU int
	connections, rounds  int
	slice                time.Duration
	depths               []int
}

func main() { side.Main("framedclient", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := flag.NewFlagSet("framedclient", flag.ContinueOnError)
	fs.IntVar(&c.serverCPU, "server-cpu", 0, "CPU of the server")
	fs.IntVar(&c.clientCPU, "client-cpu", 1, "CPU of both clients")
	fs.IntVar(&c.connections, "c", 100, "connections of each client")
	fs.IntVar(&c.rounds, "n", 15, "pairs of slices for each depth")
	fs.DurationVar(&c.slice, "d", 60*time.Millisecond, "length of a slice")
	depths := fs.String("depths", "1,16,64", "requests outstanding per connection")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	for _, s := range strings.Split(*depths, ",") {
		d, err := strconv.Atoi(s)
		if err != nil || d < 1 {
			return c, fmt.Errorf("depth %q is not a number from 1", s)
		}
		c.depths = append(c.depths, d)
	}
	if c.connections < 1 || c.rounds < 1 || c.slice < time.Millisecond {
		return c, fmt.Errorf("want at least 1 connection, 1 pair and slices of 1ms")
	}
	return c, nil
}

// client takes one slice of load.
type client interface {
	slice(ctx context.Context, d time.Duration) (sample, error)
	close() error
}

// sample is what one slice did, and what it cost the client's whole process.
type sample struct {
	answers   float64
	cpu, wall time.Duration
}

func (s sample) cpuNanosPerRequest() float64 { return float64(s.cpu) / s.answers }
func (s sample) perSecond() float64          { return s.answers / s.wall.Seconds() }

func run(ctx context.Context, c config) error {
	p, err := buildPeers()
	if err != nil {
		return err
	}
	defer p.remove()
	port, err := p.startServer(c.serverCPU)
	if err != nil {
		return err
	}
	fmt.Printf("%d connections, %d pairs of %v, server on CPU %d, clients on CPU %d\n",
		c.connections, c.rounds, c.slice, c.serverCPU, c.clientCPU)
	fmt.Printf("%5s  %18s  %18s  %26s  %26s\n", "depth", "hone CPU ns/req", "C CPU ns/req", "ratio, median (min..max)", "hone / C frames/s")
	for _, depth := range c.depths {
		if err := compare(ctx, c, p, port, depth); err != nil {
			return fmt.Errorf("depth %d: %w", depth, err)
		}
	}
	return nil
}

// compare measures both clients at one depth and prints a line.
func compare(ctx context.Context, c config, p *peers, port, depth int) error {
	hone, err := openHone(ctx, c, port, depth)
	if err != nil {
		return err
	}
	defer hone.close()
	bare, err := p.startClient(c, port, depth)
	if err != nil {
		return err
	}
	defer bare.close()

	var honeCPU, bareCPU, ratios, honeRate, bareRate []float64
	for round := range c.rounds + 1 {
		both := [2]client{hone, bare}
		var got [2]sample
		first := rand.IntN(2)
		for _, i := range []int{first, 1 - first} {
			if got[i], err = both[i].slice(ctx, c.slice); err != nil {
				return err
			}
		}
		if round == 0 {
			continue // warming up
		}
		honeCPU = append(honeCPU, got[0].cpuNanosPerRequest())
		bareCPU = append(bareCPU, got[1].cpuNanosPerRequest())
		ratios = append(ratios, got[0].cpuNanosPerRequest()/got[1].cpuNanosPerRequest())
		honeRate = append(honeRate, got[0].perSecond())
		bareRate = append(bareRate, got[1].perSecond())
	}
	fmt.Printf("%5d  %18.1f  %18.1f  %8.3f (%.3f..%.3f)  %12.0f / %.0f\n", depth,
		median(honeCPU), median(bareCPU), median(ratios), slices.Min(ratios), slices.Max(ratios),
		median(honeRate), median(bareRate))
	return nil
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

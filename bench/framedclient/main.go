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
	_ "embed"
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
	serverCPU, clientCPU int
	connections, rounds  int
	slice                time.Duration
	depths               []int
}

func main() { side.Main("framedclient", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("framedclient")
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.connections, "c", 100, "connections of each client")
	fs.IntVar(&c.rounds, "n", 15, "pairs of slices for each depth")
	fs.DurationVar(&c.slice, "d", 60*time.Millisecond, "length of a slice")
	fs.Ints(&c.depths, "depths", "1,16,64", 1, "requests outstanding per connection")
	fs.Read(args)
	fs.Want(c.connections > 0 && c.rounds > 0 && c.slice >= time.Millisecond, "want at least 1 connection, 1 pair and slices of 1ms")
	return c, fs.Faults()
}

//go:embed peer/server.c
var serverSource []byte

//go:embed peer/client.c
var clientSource []byte

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "framedclient-")
	if err != nil {
		return fmt.Errorf("make build directory: %w", err)
	}
	defer os.RemoveAll(dir)
	server, client := filepath.Join(dir, "server"), filepath.Join(dir, "client")
	if err := proc.BuildC(ctx, server, serverSource); err != nil {
		return err
	}
	if err := proc.BuildC(ctx, client, clientSource); err != nil {
		return err
	}
	s, err := proc.Talk(-1, server, []string{strconv.Itoa(c.serverCPU)})
	if err != nil {
		return err
	}
	defer s.Close()
	port, err := s.Out.ReadString('\n')
	if err != nil {
		return fmt.Errorf("read the server's port: %w", err)
	}
	fmt.Printf("%d connections, %d pairs of %v, server on CPU %d, clients on CPU %d\n",
		c.connections, c.rounds, c.slice, c.serverCPU, c.clientCPU)
	fmt.Printf("%5s  %18s  %18s  %26s  %26s\n", "depth", "hone CPU ns/req", "C CPU ns/req", "ratio, median (min..max)", "hone / C frames/s")
	for _, depth := range c.depths {
		if err := compare(ctx, c, client, strings.TrimSpace(port), depth); err != nil {
			return fmt.Errorf("depth %d: %w", depth, err)
		}
	}
	return nil
}

// compare measures both clients at one depth and prints a line.
func compare(ctx context.Context, c config, program, port string, depth int) error {
	hone, err := openHone(ctx, c, port, depth)
	if err != nil {
		return err
	}
	defer hone.Close()
	bare, err := proc.Talk(-1, program, []string{strconv.Itoa(c.clientCPU), port, strconv.Itoa(c.connections), strconv.Itoa(depth)})
	if err != nil {
		return err
	}
	defer bare.Close()
	clients := []func() (sample, error){
		func() (sample, error) { return honeSlice(ctx, hone, c.slice) },
		func() (sample, error) { return bareSlice(bare, c.slice) },
	}
	samples, err := figures.Sampled(c.rounds+1, len(clients), func(_, i int) (sample, error) { return clients[i]() })
	if err != nil {
		return err
	}
	ours, theirs := samples[0][1:], samples[1][1:] // the first round warms up
	honeCPU, bareCPU := figures.Column(ours, sample.nanos), figures.Column(theirs, sample.nanos)
	ratios := make([]float64, len(honeCPU))
	for i := range ratios {
		ratios[i] = honeCPU[i] / bareCPU[i]
	}
	fmt.Printf("%5d  %18.1f  %18.1f  %26s  %12.0f / %.0f\n", depth, figures.Median(honeCPU), figures.Median(bareCPU), figures.Spread("%.3f", ratios),
		figures.Median(figures.Column(ours, sample.perSecond)), figures.Median(figures.Column(theirs, sample.perSecond)))
	return nil
}

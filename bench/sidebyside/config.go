package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

type config struct {
	kinds                []kind
	rounds               int
	window, warm         time.Duration
	serverCPU, clientCPU int
	conns                int
	depths               []int
	callers, rpcConns    int
	idle                 int
	idleRateHz           float64
	idleFor              time.Duration
	json                 string
}

func parse(args []string) (config, error) {
	var c config
	fs := flag.NewFlagSet("sidebyside", flag.ContinueOnError)
	what := fs.String("what", "framed,stuck,rpc,tls", "what to measure, separated by commas")
	fs.IntVar(&c.rounds, "rounds", 0, "rounds; 0 means 15 for framed, 10 for rpc, 6 for stuck and tls; under 6 there are no intervals")
	fs.DurationVar(&c.window, "d", 2*time.Second, "how long each server is measured in a round; twice as long for stuck")
	fs.DurationVar(&c.warm, "warm", 300*time.Millisecond, "load before a framed server is measured")
	fs.IntVar(&c.serverCPU, "server-cpu", 1, "CPU of the servers")
	fs.IntVar(&c.clientCPU, "client-cpu", 0, "CPU of the clients")
	fs.IntVar(&c.conns, "c", 100, "connections to a framed server")
	depths := fs.String("depths", "1,16,256", "requests outstanding per framed connection")
	fs.IntVar(&c.callers, "callers", 500, "callers at a time of an rpc server")
	fs.IntVar(&c.rpcConns, "rpc-conns", 2, "connections that they share, where a library can share one")
	fs.IntVar(&c.idle, "idle", 1000, "idle TLS connections")
	fs.Float64Var(&c.idleRateHz, "idle-rate", 100, "requests per second over all of them")
	fs.DurationVar(&c.idleFor, "idle-for", 10*time.Second, "how long these requests are sent")
	fs.StringVar(&c.json, "json", "", "`file` to write the results to as JSON too")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	if fs.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q: every setting is a flag", fs.Arg(0))
	}
	var faults [3]error
	c.kinds, faults[0] = chooseKinds(*what)
	c.depths, faults[1] = parseDepths(*depths)
	faults[2] = c.validate()
	return c, errors.Join(faults[:]...)
}

// validate reports all faults at once.
func (c config) validate() error {
	var faults []error
	for name, n := range map[string]int{"-c": c.conns, "-callers": c.callers, "-rpc-conns": c.rpcConns, "-idle": c.idle} {
		if n < 1 {
			faults = append(faults, fmt.Errorf("%s is %d, want 1 or more", name, n))
		}
	}
	if c.rounds < 0 {
		faults = append(faults, fmt.Errorf("-rounds is %d, want 0 or more", c.rounds))
	}
	if c.window < 100*time.Millisecond {
		faults = append(faults, fmt.Errorf("-d is %v, want 100ms or more", c.window))
	}
	if c.warm < 0 || c.idleFor < 0 || c.idleRateHz < 0 {
		faults = append(faults, errors.New("want -warm, -idle-for and -idle-rate of 0 or more"))
	}
	if c.serverCPU < 0 || c.clientCPU < 0 || c.serverCPU == c.clientCPU {
		faults = append(faults, fmt.Errorf("-server-cpu is %d and -client-cpu %d, want two CPUs", c.serverCPU, c.clientCPU))
	}
	return errors.Join(faults...)
}

func chooseKinds(names string) ([]kind, error) {
	var chosen []kind
	known := make([]string, len(kinds))
	for i, k := range kinds {
		known[i] = k.name
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, fmt.Errorf("-what has no %q (known: %s)", name, strings.Join(known, ", "))
		}
		chosen = append(chosen, kinds[i])
	}
	return chosen, nil
}

func parseDepths(text string) ([]int, error) {
	var depths []int
	for s := range strings.SplitSeq(text, ",") {
		d, err := strconv.Atoi(s)
		if err != nil || d < 1 {
			return nil, fmt.Errorf("-depths has %q, want a number from 1", s)
		}
		depths = append(depths, d)
	}
	return depths, nil
}

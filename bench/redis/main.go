// Command redis measures what a command of RESP costs a load generator (package cost): hone and redis-benchmark, against
// Redis.
//
//	apt-get install redis-server redis-tools && go build -o bin/hone ./cmd/hone
//	cd bench && go run ./redis
//
// It needs Linux and two CPUs.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/cost"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone        string
	connections []int
	depth       int
	commands    int
	plan        cost.Plan
}

func main() { side.Main("redis", parse, run) }

func parse(args []string) (config, error) {
	c := config{plan: cost.Plan{Unit: "command"}}
	fs := side.NewFlags("redis")
	fs.Hone(&c.hone)
	c.plan.Flags(fs, 8)
	fs.Ints(&c.connections, "c", "16,100,1000", 1, "connections")
	fs.IntVar(&c.depth, "depth", 1, "commands on their way on each connection")
	fs.IntVar(&c.commands, "commands", 100_000, "commands of redis-benchmark in each slice; it knows no duration")
	fs.Read(args)
	c.plan.Check(fs)
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	// redis-server knows no -addr HOST:PORT.
	server := filepath.Join(dir, "server")
	if err := os.WriteFile(server, []byte("#!/bin/sh\nexec redis-server --bind 127.0.0.1 --port \"${2##*:}\" --save '' --appendonly no --loglevel warning\n"), 0o700); err != nil {
		return fmt.Errorf("write the server's command: %w", err)
	}
	tools, missing := side.FindAmong(c.tools(), c.hone, nil)
	if err := c.plan.Header(os.Stdout, tools, missing, "redis-server"); err != nil {
		return err
	}
	for _, n := range c.connections {
		title := fmt.Sprintf("SET of one key, %d connections, depth %d", n, c.depth)
		if err := c.plan.Compare(ctx, os.Stdout, proc.Command{Program: server}, tools, side.Job{Connections: n}, title); err != nil {
			return err
		}
	}
	return nil
}

func (c config) tools() []*side.Tool {
	depth := strconv.Itoa(c.depth)
	return []*side.Tool{
		side.HoneLoad(side.Hone, func(j side.Job) []string {
			return []string{"redis://" + j.URL, "-c", strconv.Itoa(j.Connections), "--depth", depth, "--body", "SET key:1 xxx"}
		}),
		{
			Name: "redis-benchmark",
			Args: func(j side.Job) proc.Command {
				host, port, _ := strings.Cut(j.URL, ":")
				return proc.Command{Args: []string{
					"-h", host, "-p", port, "-c", strconv.Itoa(j.Connections), "-P", depth, "-n", strconv.Itoa(c.commands), "--csv", "SET", "key:1", "xxx",
				}}
			},
			// It tells no count; it ends with an error where a command failed (redis-benchmark.c, readHandler).
			Read: func(_ string, _ side.Job, out []byte) (side.Report, error) {
				if !rate.Match(out) {
					return side.Report{}, fmt.Errorf("read redis-benchmark's report: no rate in %.400q", out)
				}
				return side.Report{Answered: uint64(c.commands)}, nil
			},
		},
	}
}

// rate is the line of the command in the CSV, which begins with its rate.
var rate = regexp.MustCompile(`(?m)^"SET key:1 xxx","[0-9.]+"`)

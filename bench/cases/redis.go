package cases

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

// Redis is what a command of RESP costs load generators.
var Redis = bed.Case{
	Name: "redis", Shows: "CPU time per command of RESP of hone load and redis-benchmark", Takes: "a minute",
	Needs: "apt-get install redis-server redis-tools", About: bed.AboutLoad, Run: measureRedis,
}

func measureRedis(ctx context.Context, b *bed.Bed) error {
	c := &costs{Bed: b, unit: "command"}
	var connections []int
	b.CPUs()
	b.Turns(8, time.Second)
	b.Ints(&connections, "c", "16,100,1000", 1, "connections")
	depth := b.Int("depth", 1, "commands on their way on each connection")
	commands := b.Int("commands", 100_000, "commands of redis-benchmark in each slice; it knows no duration")
	b.Read()
	if err := c.start(ctx, commanders(strconv.Itoa(*depth), *commands)); err != nil {
		return err
	}
	// redis-server knows no -addr HOST:PORT.
	server := filepath.Join(b.Dir, "server")
	if err := os.WriteFile(server,
		[]byte("#!/bin/sh\nexec redis-server --bind 127.0.0.1 --port \"${2##*:}\" --save '' --appendonly no --loglevel warning\n"), 0o700); err != nil {
		return fmt.Errorf("write the server's command: %w", err)
	}
	for _, n := range connections {
		title := fmt.Sprintf("SET of one key, %d connections, depth %d", n, *depth)
		if err := c.against(ctx, proc.Command{Program: server}, side.Job{Connections: n}, title); err != nil {
			return err
		}
	}
	return nil
}

func commanders(depth string, commands int) []*side.Tool {
	return []*side.Tool{
		side.HoneLoad(side.Hone, func(j side.Job) []string {
			return []string{"redis://" + j.URL, "-c", strconv.Itoa(j.Connections), "--depth", depth, "--body",
				"SET key:1 xxx"}
		}),
		{
			Name: "redis-benchmark",
			Args: func(j side.Job) proc.Command {
				host, port, _ := strings.Cut(j.URL, ":")
				return proc.Command{Args: []string{
					"-h", host, "-p", port, "-c", strconv.Itoa(j.Connections), "-P", depth, "-n",
					strconv.Itoa(commands), "--csv", "SET", "key:1", "xxx",
				}}
			},
			// It tells no count; it ends with an error where a command failed (redis-benchmark.c, readHandler).
			Read: func(_ string, _ side.Job, out []byte) (side.Report, error) {
				if !redisRate.Match(out) {
					return side.Report{}, fmt.Errorf("read redis-benchmark's report: no rate in %.400q", out)
				}
				return side.Report{Answered: uint64(commands)}, nil
			},
		},
	}
}

// redisRate is the line of the command in the CSV, which begins with its rate.
var redisRate = regexp.MustCompile(`(?m)^"SET key:1 xxx","[0-9.]+"`)

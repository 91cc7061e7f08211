package honecli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohone/hone/bench/proc"
)

// Agents starts n agents of equal capacity on one CPU of this machine. They meet hone at the address broker, which is
// free until then. Keys and caches are in a directory of their own, also for every hone that this process starts before
// stop, which ends the agents and removes the directory.
func (h Hone) Agents(ctx context.Context, cpu, n int) (broker string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "hone-agents-")
	if err != nil {
		return "", nil, fmt.Errorf("make a place for the keys of agents: %w", err)
	}
	var running []*proc.Child
	config, cache := os.Getenv("XDG_CONFIG_HOME"), os.Getenv("XDG_CACHE_HOME")
	stop = func() {
		os.Setenv("XDG_CONFIG_HOME", config) // empty is as if it were not set
		os.Setenv("XDG_CACHE_HOME", cache)
		for _, p := range running {
			p.Stop()
		}
		os.RemoveAll(dir)
	}
	broker, err = proc.FreeAddress()
	if err = errors.Join(err, proc.BuildGo(ctx, "../cmd/hone-agent", filepath.Dir(h.Program)+"/", "."),
		os.Setenv("XDG_CONFIG_HOME", dir), os.Setenv("XDG_CACHE_HOME", dir)); err != nil {
		stop()
		return "", nil, err
	}
	for i := range n {
		p, err := proc.Start(ctx, cpu, proc.Command{
			Program: h.Program, Args: []string{"agent", "--nats", "nats://" + broker, "--name",
				fmt.Sprint("agent", i+1), "--capacity", "1000"},
		})
		if err != nil {
			stop()
			return "", nil, fmt.Errorf("start agent %d: %w", i+1, err)
		}
		running = append(running, p)
	}
	return broker, stop, nil
}

package probeclient

import (
	"context"
	"path/filepath"
)

// ClearCounters sets the coverage counters of all processes to 0. The program must be built with them.
func (p *Probes) ClearCounters(ctx context.Context) error {
	return p.counters(ctx, "/counters/clear")
}

// WriteCounters has all processes write their coverage counters, and returns the directory that has them: it is beside
// the socket, and goes with that.
func (p *Probes) WriteCounters(ctx context.Context, name string) (dir string, err error) {
	return filepath.Join(filepath.Dir(p.socket), name), p.counters(ctx, "/counters/write?name="+name)
}

func (p *Probes) counters(ctx context.Context, page string) error {
	_, err := Each(ctx, p, func(ctx context.Context, _ int, probe *Probe) ([]byte, error) { return probe.page(ctx, page) })
	return err
}

package cover

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/cover/services"
	"github.com/gohone/hone/bench/proc"
)

// observed is a service under a load, in a process of its own.
type observed struct {
	profile, log string // files
	sent         sent
	cpu          time.Duration
}

// perRequest is the CPU time of a request.
func (o observed) perRequest() float64 { return float64(o.cpu) / float64(o.sent.total()) }

const (
	// settles is how long a service has its load before the profile: caches are then full.
	settles = 2 * time.Second
	// tried are the requests that say what one costs.
	tried = 2000
)

// observe loads a service, with the rate at which it uses as much CPU time as the demand says, and takes a profile meanwhile. Files begin
// with the name.
func (c config) observe(ctx context.Context, s services.Service, d demand, name string) (o observed, failed error) {
	each, err := c.try(ctx, s, d, name)
	if err != nil {
		return o, err
	}
	o.profile, o.log = filepath.Join(c.Dir, s.Name+"-"+name+".pb.gz"), filepath.Join(c.Dir, s.Name+"-"+name+".log")
	p, err := serve(ctx, c.program, s, o.log)
	if err != nil {
		return o, err
	}
	defer p.Stop()
	profiled := make(chan error, 1)
	go func() { // ends with the profile
		time.Sleep(settles)
		profiled <- p.profile(ctx, o.profile, c.length)
	}()
	o.cpu, failed = proc.CPUOf(p.Pid(), func() (err error) {
		o.sent, err = p.drive(d, name).open(ctx, d.Busy/each.Seconds(), settles+c.length+time.Second)
		return err
	})
	return o, errors.Join(failed, <-profiled)
}

// try is the CPU time that one request takes in the mean.
func (c config) try(ctx context.Context, s services.Service, d demand, name string) (time.Duration, error) {
	p, err := serve(ctx, c.program, s, filepath.Join(c.Dir, s.Name+"-try.log"))
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	var n sent
	used, err := proc.CPUOf(p.Pid(), func() (err error) {
		n, err = p.drive(d, "try "+name).closed(ctx, tried)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("try what a request of %s costs: %w", s.Name, err)
	}
	return used / time.Duration(n.total()), nil
}

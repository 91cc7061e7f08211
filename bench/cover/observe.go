package cover

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/cover/services"
	"github.com/gohone/hone/bench/proc"
)

// observed is a service under a load, in a process of its own.
type observed struct {
	profile, log string // files
	sent         sent
}

const (
	// settles is how long a service has its load before the profile: caches are then full.
	settles = 2 * time.Second
	// tried are the requests that say what one costs.
	tried = 1000
)

// observe loads a service, with the rate at which it uses as much CPU time as the demand says, and takes a profile meanwhile. Its files have
// the name.
func (c config) observe(ctx context.Context, s services.Service, d demand, name string) (o observed, failed error) {
	each, err := c.try(ctx, s, d, name)
	if err != nil {
		return o, err
	}
	o.profile, o.log = filepath.Join(c.files, name+".pb.gz"), filepath.Join(c.files, name+".log")
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
	o.sent, failed = p.drive(d, name).open(ctx, d.Busy/each.Seconds(), settles+c.length+time.Second)
	return o, errors.Join(failed, <-profiled)
}

// ratio is how many times as much CPU time as a request of b one of a takes. Both take turns in one process, so that the machine is the
// same for both.
func (c config) ratio(ctx context.Context, s services.Service, a, b demand) (float64, error) {
	p, err := serve(ctx, c.program, s, filepath.Join(c.files, "try.log"))
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	var all []float64
	for turn := range turns {
		var each [2]float64
		for i, d := range []demand{a, b} {
			one, err := p.each(ctx, d, fmt.Sprint("turn ", turn))
			if err != nil {
				return 0, err
			}
			each[i] = one.Seconds()
		}
		if turn > 0 { // in the first one caches fill
			all = append(all, each[0]/each[1])
		}
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

// turns are enough for a median that a disturbance does not move.
const turns = 16

// try is the CPU time that one request takes in the mean.
func (c config) try(ctx context.Context, s services.Service, d demand, name string) (time.Duration, error) {
	p, err := serve(ctx, c.program, s, filepath.Join(c.files, "try.log"))
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	return p.each(ctx, d, "try "+name)
}

// each is the CPU time of one request of a demand.
func (s *served) each(ctx context.Context, d demand, seed string) (time.Duration, error) {
	var n sent
	used, err := proc.CPUOf(s.Pid(), func() (err error) {
		n, err = s.drive(d, seed).closed(ctx, tried)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("try what a request of %s costs: %w", s.Name, err)
	}
	return used / time.Duration(n.total()), nil
}

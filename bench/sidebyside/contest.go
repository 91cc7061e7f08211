package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
)

// entrant is one server in a contest, and what is known of it.
type entrant struct {
	name    string
	program *program
	args    []string // before -addr HOST:PORT
	note    string

	version string
	samples []sample // one a round
	fault   error    // why it is out; then its samples do not count
}

// sample is what one entrant did in one round.
type sample struct {
	// value is what is compared, in the contest's unit; less is better.
	value float64
	// over says that it is more than value: it was stopped there.
	over bool
	// beside are the figures of contest.beside.
	beside []float64
}

// contest compares entrants in one measure.
type contest struct {
	name    string
	measure string // what a sample's value is
	unit    string
	beside  []string // what else a sample has
	setting string   // in a few words
	// entrants, of which the first is the reference.
	entrants []*entrant
	// verify checks that a server answers right, once, before anything is measured; nil
	// where each measurement does.
	verify func(context.Context, *entrant) error
	run    func(context.Context, *entrant) (sample, error)
	goals  func(*contest) []goal
}

// enter fills in what the lab knows, and drops those that are not built.
func (l *lab) enter(all ...*entrant) []*entrant {
	var entered []*entrant
	for _, e := range all {
		if b, ok := l.built[e.program]; ok {
			e.version = b.version
			entered = append(entered, e)
		}
	}
	return entered
}

// hold verifies all entrants of all contests, then measures them, in random order within
// each round and contest. A peer that fails is out, and the reason is told; a reference
// that fails ends it all.
func (l *lab) hold(ctx context.Context, name string, rounds int, contests []*contest) error {
	for _, c := range contests {
		if c.verify == nil {
			continue
		}
		for i, e := range c.entrants {
			if err := c.accept(ctx, i, c.verify(ctx, e)); err != nil {
				return err
			}
		}
	}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", name, round+1, rounds)
		for _, c := range contests {
			for _, i := range rand.Perm(len(c.entrants)) {
				e := c.entrants[i]
				if e.fault != nil {
					continue
				}
				s, err := c.run(ctx, e)
				if err == nil {
					e.samples = append(e.samples, s)
				}
				if err := c.accept(ctx, i, err); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// accept takes note of what became of entrant i, and returns what ends it all.
func (c *contest) accept(ctx context.Context, i int, err error) error {
	e := c.entrants[i]
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && i == 0:
		return fmt.Errorf("%s: %s: %w", c.name, e.name, err)
	case err != nil:
		e.fault = err
		fmt.Fprintf(os.Stderr, "%s: %s is out: %v\n", c.name, e.name, err)
	}
	return nil
}

// values are the samples' values, by round.
func (e *entrant) values() []float64 {
	x := make([]float64, len(e.samples))
	for i, s := range e.samples {
		x[i] = s.value
	}
	return x
}

// over says that some sample was stopped at its bound.
func (e *entrant) over() bool {
	for _, s := range e.samples {
		if s.over {
			return true
		}
	}
	return false
}

// find is the entrant of a name; nil if there is none, or if it is out.
func (c *contest) find(name string) *entrant {
	for _, e := range c.entrants {
		if e.name == name && e.fault == nil && len(e.samples) > 0 {
			return e
		}
	}
	return nil
}

var errNoSample = errors.New("no round is complete")

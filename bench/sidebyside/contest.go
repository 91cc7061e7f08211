package sidebyside

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
)

// entrant is one server in a contest, and what is known of it.
type entrant struct {
	Name    string
	Version string
	Note    string
	// Fault says why it is out: then there are no figures.
	Fault string
	// Values are what is compared, by round, in the contest's unit; less is better.
	Values []float64
	Median float64
	// Over says that it took more: it was stopped at its bound.
	Over bool
	// Ratio is to the reference, within the rounds; 1 for itself.
	Ratio  *figures.Ratio
	Beside []beside

	program program
	args    []string // before -addr HOST:PORT
	// client is a program of its own; zero: the load is this process's.
	client     program
	clientArgs []string // before HOST:PORT
}

// beside is another figure of an entrant.
type beside struct {
	Name   string
	Values []float64 // by round
	Median float64
}

// sample is what one entrant did in one round.
type sample struct {
	value float64
	// over says that it is more than value: it was stopped there.
	over bool
	// beside are the figures of contest.beside.
	beside []float64
}

// contest compares entrants in one measure.
type contest struct {
	Name    string
	Measure string // what values are
	Unit    string
	Setting string // in a few words
	Rounds  int    // that the reference was measured in
	// Reference is what ratios are to: the first entrant.
	Reference string
	Entrants  []*entrant
	Goals     []goal

	beside []string // what else a sample has
	// verify checks that a server answers right, once, before anything is measured; nil
	// where each measurement does.
	verify func(context.Context, *entrant) error
	run    func(context.Context, *entrant) (sample, error)
	goals  func(*contest) []goal
}

// enter fills in what the lab knows, and drops entrants that are not built.
func (l *lab) enter(c *contest) {
	c.Entrants = slices.DeleteFunc(c.Entrants, func(e *entrant) bool {
		b, ok := l.built[e.program]
		e.Version = b.version
		return !ok
	})
}

// start starts e's server on the servers' CPU and waits until it accepts connections.
func (l *lab) start(ctx context.Context, e *entrant) (*proc.Server, error) {
	return proc.Serve(ctx, l.serverCPU, proc.Command{Program: l.built[e.program].path, Args: e.args})
}

// measurement measures an entrant's server.
type measurement func(context.Context, *entrant, *proc.Server) (sample, error)

// fresh has a measurement take a server that was just started, and stops it behind it.
func (l *lab) fresh(of measurement) func(context.Context, *entrant) (sample, error) {
	return func(ctx context.Context, e *entrant) (sample, error) {
		s, err := l.start(ctx, e)
		if err != nil {
			return sample{}, err
		}
		defer s.Stop()
		return of(ctx, e, s)
	}
}

// hold verifies all entrants of all contests, then measures them, in random order within
// each round and contest. A peer that fails is out, and the reason is told; a reference
// that fails ends it all.
func hold(ctx context.Context, name string, rounds int, contests []*contest) error {
	for _, c := range contests {
		for i, e := range c.Entrants {
			if c.verify == nil {
				continue
			}
			if err := c.accept(ctx, i, c.verify(ctx, e)); err != nil {
				return err
			}
		}
	}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", name, round+1, rounds)
		for _, c := range contests {
			for _, i := range rand.Perm(len(c.Entrants)) {
				e := c.Entrants[i]
				if e.Fault != "" {
					continue
				}
				s, err := c.run(ctx, e)
				if err == nil {
					c.add(e, s)
				}
				if err := c.accept(ctx, i, err); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// add adds what an entrant did in a round.
func (c *contest) add(e *entrant, s sample) {
	e.Values, e.Over = append(e.Values, s.value), e.Over || s.over
	for i, name := range c.beside {
		if len(e.Beside) == i {
			e.Beside = append(e.Beside, beside{Name: name})
		}
		e.Beside[i].Values = append(e.Beside[i].Values, s.beside[i])
	}
}

// accept takes note of what became of entrant i, and returns what ends it all.
func (c *contest) accept(ctx context.Context, i int, err error) error {
	e := c.Entrants[i]
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && i == 0:
		return fmt.Errorf("%s: %s: %w", c.Name, e.Name, err)
	case err != nil:
		e.Fault, e.Values, e.Over, e.Beside = err.Error(), nil, false, nil
		fmt.Fprintf(os.Stderr, "%s: %s is out: %v\n", c.Name, e.Name, err)
	}
	return nil
}

// judge computes what the rounds came to.
func (c *contest) judge() error {
	reference := c.Entrants[0]
	c.Rounds, c.Reference = len(reference.Values), reference.Name
	if c.Rounds == 0 {
		return errors.New("no round is complete")
	}
	for _, e := range c.Entrants {
		if e.Fault != "" {
			continue
		}
		ratio, err := figures.Paired(reference.Values, e.Values)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		e.Ratio, e.Median = &ratio, figures.Median(e.Values)
		for i, b := range e.Beside {
			e.Beside[i].Median = figures.Median(b.Values)
		}
	}
	c.Goals = c.goals(c)
	for i := range c.Goals {
		if err := c.Goals[i].judge(); err != nil {
			return err
		}
	}
	return nil
}

// find is the entrant of a name; nil if there is none, or if it is out.
func (c *contest) find(name string) *entrant {
	i := slices.IndexFunc(c.Entrants, func(e *entrant) bool { return e.Name == name && len(e.Values) > 0 })
	if i < 0 {
		return nil
	}
	return c.Entrants[i]
}

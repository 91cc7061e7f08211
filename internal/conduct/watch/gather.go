package watch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

const (
	// patience is how long a source may take to answer.
	patience = 5 * time.Second
	// duty keeps the load on the service low: a source that takes long to read is read so
	// many times its own duration apart, up to mostSpacing.
	duty        = 20
	mostSpacing = 10 * time.Second
	// tellSpacing is how many intervals apart reads are when it is worth saying.
	tellSpacing = 3
)

// gatherer reads all sources of a service at once, one reading after another. A source
// that is slow delays no other: its values come with a later reading.
type gatherer struct {
	feeds    []*feed
	interval time.Duration
	outcomes chan outcome
	ctx      context.Context // of all reads
	cancel   context.CancelFunc
}

// feed is a source with its state.
type feed struct {
	source
	busy  bool
	began time.Time // of the read under way, or the last one
	next  time.Time // not read before
	// took are the last two reads. The shorter one is the cost: a service that stood still
	// for a while made one read long.
	took  [2]time.Duration
	value vitals.Reading
	fresh bool
	until time.Time // value holds so long, since the source is read more seldom
	fault error
	off   bool
	aside bool // see companion
}

// companion is a source that has nothing of its own: it goes by what another one finds, and
// says nothing about whether the service is there.
type companion interface{ companion() }

// outcome is the end of a read.
type outcome struct {
	*feed
	value vitals.Reading
	err   error
	took  time.Duration
}

// panicked is a fault of hone itself.
type panicked struct {
	value any
	stack []byte
}

func (e *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// guarded does something, and returns a panic as *panicked.
func guarded(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	return do()
}

// newGatherer owns the sources from here on.
func newGatherer(ctx context.Context, sources []source, interval time.Duration) *gatherer {
	g := &gatherer{interval: interval, outcomes: make(chan outcome, len(sources))}
	g.ctx, g.cancel = context.WithCancel(ctx)
	for _, s := range sources {
		_, aside := s.(companion)
		g.feeds = append(g.feeds, &feed{source: s, aside: aside})
	}
	return g
}

// close ends all reads and waits for them.
func (g *gatherer) close() {
	g.cancel()
	for _, f := range g.feeds {
		for f.busy {
			(<-g.outcomes).busy = false
		}
		f.close()
	}
}

// round starts a read of every source that is due, waits for the quick ones, and returns
// what is known. The error is a *panicked.
func (g *gatherer) round() (vitals.Reading, error) {
	now := time.Now()
	started := map[*feed]bool{}
	for _, f := range g.feeds {
		// A tick may come a little early.
		if !f.busy && !f.off && !now.Add(g.interval/10).Before(f.next) {
			started[f] = true
			g.start(f, now)
		}
	}
	late := time.After(min(g.interval/2, 500*time.Millisecond))
	for len(started) > 0 || len(g.outcomes) > 0 {
		select {
		case o := <-g.outcomes:
			delete(started, o.feed)
			if err := g.take(o); err != nil {
				return vitals.Reading{}, err
			}
		case <-late:
			clear(started) // what they find comes with a later reading
		}
	}
	r := vitals.Reading{At: now}
	for _, f := range g.feeds {
		if f.fresh || now.Before(f.until) {
			r.Fill(f.value)
		}
		f.fresh = false
	}
	return r, nil
}

// start reads a source in a goroutine that ends with the read, after patience at the
// latest.
func (g *gatherer) start(f *feed, now time.Time) {
	f.busy, f.began = true, now
	go func() {
		o := outcome{feed: f}
		ctx, cancel := context.WithTimeout(g.ctx, max(patience, 2*g.interval))
		defer cancel()
		o.err = guarded(func() (err error) {
			o.value, err = f.read(ctx)
			return err
		})
		o.took = time.Since(now)
		g.outcomes <- o // has room for all
	}()
}

// take notes the end of a read.
func (g *gatherer) take(o outcome) error {
	f := o.feed
	f.busy = false
	var bug *panicked
	if errors.As(o.err, &bug) {
		return bug
	}
	f.fault = o.err
	f.off = errors.As(o.err, new(refusal))
	f.value, f.fresh = o.value, true
	f.took[0], f.took[1] = o.took, f.took[0]
	f.until = time.Time{}
	f.next = f.began
	if spacing := f.spacing(); spacing > g.interval {
		f.next = f.began.Add(spacing)
		f.until = f.next.Add(g.interval)
	}
	return nil
}

// spacing is how far reads of this source are to be apart.
func (f *feed) spacing() time.Duration {
	return min(duty*min(f.took[0], f.took[1]), mostSpacing)
}

// warnings say what is wrong with each source.
func (g *gatherer) warnings(now time.Time) []string {
	var all []string
	for _, f := range g.feeds {
		switch waited := now.Sub(f.began); {
		case f.busy && waited > g.interval:
			all = append(all, fmt.Sprintf("%s: no answer for %s", f.name(), units.Seconds(waited)))
		case f.fault != nil:
			all = append(all, fmt.Sprintf("%s: %v", f.name(), f.fault))
		case f.spacing() > tellSpacing*g.interval:
			all = append(all, fmt.Sprintf("%s: takes %s, so it is read every %s only",
				f.name(), units.Seconds(min(f.took[0], f.took[1])), units.Seconds(f.spacing())))
		}
	}
	return all
}

// whyEnded says why what is watched is not there, nil while it is: a source knows that it has
// ended, or all that are still asked find no one there.
func (g *gatherer) whyEnded() error {
	var last error
	asked := 0
	for _, f := range g.feeds {
		var e ended
		if errors.As(f.fault, &e) {
			return fmt.Errorf("%s: %w", f.name(), e.error)
		}
		if f.off || f.aside {
			continue
		}
		asked++
		if errors.As(f.fault, new(unreachable)) {
			asked--
			last = fmt.Errorf("%s: %w", f.name(), f.fault)
		}
	}
	if asked > 0 {
		return nil
	}
	return last
}

// exhausted says that no source is left to be asked, and why.
func (g *gatherer) exhausted() error {
	var why []error
	for _, f := range g.feeds {
		if f.aside {
			continue
		}
		if !f.off {
			return nil
		}
		why = append(why, fmt.Errorf("%s: %w", f.name(), f.fault))
	}
	return errors.Join(why...)
}

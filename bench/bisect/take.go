package bisect

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// measurement is one session at work.
type measurement struct {
	config
	journal *bed.Journal[record]
}

// take carries out one trial. The window and the calibration that it needs are records of their own.
func (m measurement) take(ctx context.Context, t trial) (records []record, err error) {
	subject := corpus.SubjectOf(t.repo)
	w := windowOf(m.journal.Records, t.repo)
	if w == nil {
		if w, err = m.find(ctx, *subject); err != nil {
			return nil, err
		}
		records = append(records, record{Repo: t.repo, Window: w})
	}
	if w.Reason != "" {
		return records, nil
	}
	h, err := m.of(ctx, *subject, *w)
	if err != nil {
		return records, err
	}
	d := drawn(subject, m.seed, t.i, w.Commits)
	r := record{Repo: t.repo, Draw: &d}
	if d.Size > 0 && d.Measure != "allocs" {
		s := corpus.SlopeInForce(m.journal.Records, func(o record) *corpus.Slope { return o.slopeOf(t.repo) }, time.Now())
		if s == nil {
			c := subject.At(w.Last)
			c.Adds = corpus.AddUnused(subject.Package) // and so it is calibrated against itself
			if s, err = c.Calibrate(ctx, m.clones, m.Hone); err != nil {
				return records, err
			}
			records = append(records, record{Repo: t.repo, Slope: s})
		}
		if r.Iterations, err = s.For(d.Size); err != nil {
			return records, err
		}
	}
	if r.Answer, err = m.ask(ctx, h, d, r.Iterations, w.Tests...); r.Answer == nil {
		return records, err
	}
	return append(records, r), err
}

// ask has hone search a rebuilt history. Where hone fails, the answer comes with the error.
func (m measurement) ask(ctx context.Context, h history, d draw, iterations int, more ...string) (*answer, error) {
	dir, hashes, err := m.tree(ctx, h, d, iterations)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	place := map[string]int{}
	for at, hash := range hashes {
		place[hash] = at
	}
	changed, err := listed(ctx, dir, "*.go")
	if err != nil {
		return nil, err
	}
	changes := map[int]bool{}
	for _, hash := range changed {
		changes[place[hash]] = true
	}
	c := h.subject.At(hashes[len(hashes)-1])
	a, err := m.bisect(ctx, c, dir, place, c.Bisect(hashes[0], d.Measure, more...))
	if a != nil {
		a.Right = d.right(*a, changes)
	}
	return a, err
}

// bisect runs hone in a tree, for as long as it may take.
func (m measurement) bisect(ctx context.Context, c corpus.Commit, dir string, place map[string]int, args []string) (*answer, error) {
	limited, stop := context.WithTimeout(ctx, m.limit)
	defer stop()
	hone := m.Hone
	hone.Dir, hone.Ledger = c.WorkDir(dir), dir+"-ledger"
	defer os.RemoveAll(hone.Ledger)
	began := time.Now()
	b, err := hone.Bisect(limited, args...)
	a := &answer{Seconds: time.Since(began).Seconds()}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		a.Stopped = timedOut
		return a, nil
	case err != nil:
		a.Stopped, a.Reason = failed, shortened(err.Error())
		return a, err
	}
	a.read(b, place)
	return a, nil
}

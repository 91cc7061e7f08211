package sql

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// measure asks hone about the tasks of one half that the results lack.
func (c config) measure(ctx context.Context, todo []task) error {
	version, err := c.Hone.Version(ctx)
	if err != nil {
		return fmt.Errorf("ask hone for its version: %w", err)
	}
	c.Hone.Dir = corpusDir
	head := func(at time.Time, s *bed.Session) record { return record{At: at, Session: s} }
	return bed.Measure(ctx, c.Bed, schema, head, func(j *bed.Journal[record]) error {
		done := has(j.Records, version)
		lacking := slices.DeleteFunc(todo, func(t task) bool { return !c.again && done[t.key()] || t.half() != c.half })
		return bed.Take(ctx, c.Bed, j, lacking, task.String, func(ctx context.Context, t task) ([]record, error) {
			r := record{At: bed.Now(), key: t.key(), secret: t.Closed && !c.closed}
			if err := noPostgres(); err != nil && t.Database == postgres {
				r.Missing = err.Error()
				return []record{r}, nil
			}
			var err error
			if r.Said, r.Tail, err = c.ask(ctx, t); err != nil {
				r.Failed = err.Error()
			}
			return []record{r}, err
		})
	})
}

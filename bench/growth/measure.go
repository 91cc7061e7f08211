package growth

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// servicesDir has the package of the services, from the directory bench.
const servicesDir = "growth"

// measure asks hone about the tasks that the results lack.
func (c config) measure(ctx context.Context, todo []task, halfOf map[string]string) error {
	version, err := c.Hone.Version(ctx)
	if err != nil {
		return fmt.Errorf("ask hone for its version: %w", err)
	}
	c.Hone.Dir = servicesDir
	head := func(at time.Time, s *bed.Session) record { return record{At: at, Session: s} }
	return bed.Measure(ctx, c.Bed, schema, head, func(j *bed.Journal[record]) error {
		done := has(j.Records, version)
		lacking := slices.DeleteFunc(todo, func(t task) bool { return !c.again && done[key{t.Name, t.trial}] })
		return bed.Take(ctx, c.Bed, j, lacking, task.String, func(ctx context.Context, t task) ([]record, error) {
			r := record{At: bed.Now(), Kind: t.Name, Trial: t.trial, secret: halfOf[t.Name] == bed.HalfClosed && !c.closed}
			var err error
			if t.trial == single {
				r.Ran, err = c.run(ctx, t)
			} else {
				r.Compared, err = c.compare(ctx, t)
			}
			if err != nil {
				r.Failed = err.Error()
			}
			return []record{r}, err
		})
	})
}

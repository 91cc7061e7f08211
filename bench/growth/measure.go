package growth

import (
	"context"

	"github.com/gohone/hone/bench/bed"
)

// servicesDir has the package of the services, from the directory bench.
const servicesDir = "growth"

// take asks hone about a task.
func (c config) take(ctx context.Context, t task, half string) (_ []record, err error) {
	r := record{Kind: t.Name, Trial: t.trial, secret: half == bed.HalfClosed && !c.closed}
	if t.trial == single {
		r.Ran, err = c.run(ctx, t)
	} else {
		r.Compared, err = c.compare(ctx, t)
	}
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

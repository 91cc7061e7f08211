package sql

import "context"

// take asks hone about a task.
func (c config) take(ctx context.Context, t task) (_ []record, err error) {
	r := record{key: t.key(), secret: t.Closed && !c.closed}
	if err := noPostgres(); err != nil && t.Database == postgres {
		r.Missing = err.Error()
		return []record{r}, nil
	}
	if r.Said, r.Tail, err = c.ask(ctx, t); err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

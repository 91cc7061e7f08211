package promapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/stats"
)

// maxPoints is how many steps a range may have, as in Prometheus: an hour at a third of a
// second, a week at a minute.
const maxPoints = 11000

var errTruncated = errors.New("results truncated due to limit")

// evaluation is a query that was read from a request, but for its times.
type evaluation struct {
	expression string
	limit      int
	timeout    time.Duration
	options    promql.QueryOpts
	stats      bool
}

// evaluation reads what instant and range queries have in common.
func (a *api) evaluation(p *params, limit int) evaluation {
	wanted := p.form.Get("stats")
	e := evaluation{limit: limit, stats: wanted != ""}
	e.timeout = p.duration("timeout", a.Timeout, `invalid parameter "timeout"`)
	lookback := p.duration("lookback_delta", 0, "error parsing lookback delta duration")
	e.options = promql.NewPrometheusQueryOpts(wanted == "all", lookback)
	if p.err == nil {
		var err error
		e.expression, _, err = p.expression(a.Parser)
		p.fault("query", err)
	}
	return e
}

func (a *api) query(r *http.Request) (answer, error) {
	p := params{form: r.Form}
	limit := p.limit()
	at := p.momentOr("time", a.Now())
	e := a.evaluation(&p, limit)
	if p.err != nil {
		return answer{}, p.err
	}
	return a.evaluate(r.Context(), e, func(ctx context.Context, q storage.Queryable) (promql.Query, error) {
		return a.Engine.NewInstantQuery(ctx, q, e.options, e.expression, at)
	})
}

func (a *api) queryRange(r *http.Request) (answer, error) {
	p := params{form: r.Form}
	limit := p.limit()
	start, end := p.moment("start"), p.moment("end")
	if end.Before(start) {
		p.fault("end", errors.New("end timestamp must not be before start time"))
	}
	step := p.step()
	if p.err != nil {
		return answer{}, p.err
	}
	if points(start, end, step) > maxPoints {
		return answer{}, as(badData,
			errors.New("exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution "+
				"(?step=XX)"))
	}
	e := a.evaluation(&p, limit)
	if p.err != nil {
		return answer{}, p.err
	}
	return a.evaluate(r.Context(), e, func(ctx context.Context, q storage.Queryable) (promql.Query, error) {
		return a.Engine.NewRangeQuery(ctx, q, e.options, e.expression, start, end, step)
	})
}

// points is the number of steps from start to end, in the engine's milliseconds. The
// difference of two times would stop at 292 years and let 600 million years pass for less.
func points(start, end time.Time, step time.Duration) uint64 {
	return uint64(timestamp.FromTime(end)-timestamp.FromTime(start)) / uint64(step.Milliseconds())
}

// evaluate runs a query and encodes its result before the engine takes the memory back.
func (a *api) evaluate(ctx context.Context, e evaluation,
	prepare func(context.Context, storage.Queryable) (promql.Query, error)) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	return a.reading(ctx, func(q storage.Queryable) (answer, error) {
		query, err := prepare(ctx, q)
		if err != nil {
			return answer{}, unprepared(err)
		}
		defer query.Close()
		result := query.Exec(ctx)
		if result.Err != nil {
			return answer{}, result.Err
		}
		value, truncated := first(result.Value, e.limit)
		notes := result.Warnings
		if truncated {
			notes.Add(errTruncated)
		}
		if err := fits(value); err != nil {
			return answer{}, err
		}
		data, err := appendResult(nil, value)
		if err == nil && e.stats {
			data, err = appendStats(data, query.Stats())
		}
		if err != nil {
			return answer{}, as(internal, err)
		}
		return answer{append(data, '}'), notes, e.expression}, nil
	})
}

// unprepared classes what the engine has against a query before it evaluates it: that it
// is wrong, or that it is too large.
func unprepared(err error) error {
	if _, large := errors.AsType[promql.ErrTooManySamples](err); large || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, context.Canceled) {
		return err
	}
	return as(badData, fmt.Errorf("invalid parameter %q: %w", "query", err))
}

// first cuts a list of series off after limit; 0 keeps all.
func first(v parser.Value, limit int) (cut parser.Value, truncated bool) {
	switch v := v.(type) {
	case promql.Vector:
		if limit > 0 && len(v) > limit {
			return v[:limit], true
		}
	case promql.Matrix:
		if limit > 0 && len(v) > limit {
			return v[:limit], true
		}
	}
	return v, false
}

func appendStats(b []byte, s *stats.Statistics) ([]byte, error) {
	text, err := json.Marshal(stats.NewQueryStats(s))
	if err != nil {
		return b, fmt.Errorf("encode statistics: %w", err)
	}
	return append(append(b, `,"stats":`...), text...), nil
}

// queryExemplars finds none: hone stores no exemplars. It tells a wrong expression from a
// right one, though.
func (a *api) queryExemplars(r *http.Request) (answer, error) {
	p := params{form: r.Form}
	start, end := p.momentOr("start", earliest), p.momentOr("end", latest)
	if p.err != nil {
		return answer{}, p.err
	}
	if end.Before(start) {
		return answer{}, as(badData, errors.New("end timestamp must not be before start timestamp"))
	}
	_, expression, err := p.expression(a.Parser)
	if err != nil {
		return answer{}, as(badData, err)
	}
	if len(parser.ExtractSelectors(expression)) == 0 {
		return answer{}, nil
	}
	return answer{data: []byte("[]")}, nil
}

// formatQuery returns the expression in the way that Prometheus lays it out.
func (a *api) formatQuery(r *http.Request) (answer, error) {
	p := params{form: r.Form}
	_, expression, err := p.expression(a.Parser)
	if err != nil {
		p.fault("query", err)
		return answer{}, p.err
	}
	return answer{data: appendString(nil, expression.Pretty(0))}, nil
}

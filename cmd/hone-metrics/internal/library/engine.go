package library

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/text/fail"
)

// Parser reads PromQL as the stable releases of Prometheus do.
func Parser() parser.Parser { return parser.NewParser(parser.Options{}) }

const (
	// MaxSteps is how many points per series a query over a range may ask for, as in
	// Prometheus' HTTP API.
	MaxSteps = 11_000
	// maxExpression is the longest expression, in bytes; the API has the same.
	maxExpression = 16 << 10
	// lookback is how old a sample may be, in milliseconds; Prometheus' default.
	lookback = 5 * 60 * 1000
)

// Bounds are what queries may take.
type Bounds struct {
	// Points is how many points all queries together may hold at a time, as estimated
	// before they are evaluated. A point takes 16 bytes, with garbage up to a hundred.
	Points int
	// Timeout bounds one query.
	Timeout time.Duration
}

// Usual are the bounds: 400 MB. Prometheus' default of 50
// million samples lets one query take 7 GB.
var Usual = Bounds{Points: 4_000_000, Timeout: time.Minute}

// Engine is Prometheus' query engine, which estimates a query before it evaluates it, and
// refuses one that is too large (TooLarge).
type Engine struct {
	engine *promql.Engine
	bounds Bounds
	points *points
}

var _ promql.QueryEngine = (*Engine)(nil)

// NewEngine returns an engine with Prometheus' settings but for the bounds.
func NewEngine(b Bounds) *Engine {
	return &Engine{
		engine: promql.NewEngine(promql.EngineOpts{
			Logger: slog.New(slog.DiscardHandler), MaxSamples: b.Points, Timeout: b.Timeout,
			EnableAtModifier: true, EnableNegativeOffset: true, Parser: Parser(),
			NoStepSubqueryIntervalFn: func(int64) int64 { return metrics.DefaultInterval.Milliseconds() },
		}),
		bounds: b,
		points: newPoints(b.Points),
	}
}

// TooLarge says that a query would take too much.
type TooLarge struct {
	// Start and End are where in the query the part stands that is too much, in bytes
	// from 1 on; Part is its text, maybe shortened.
	Start, End int
	Part       string
	why        string
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%d-%d: %s: this part %s: take a larger step, a shorter range, or fewer series", e.Start, e.End,
		e.Part, e.why)
}

// Unwrap is Prometheus' own error for it, by which its API answers with 422.
func (e *TooLarge) Unwrap() error { return promql.ErrTooManySamples("the estimate of the query") }

// NewInstantQuery prepares a query at one moment.
func (e *Engine) NewInstantQuery(ctx context.Context, q storage.Queryable, o promql.QueryOpts, expr string,
	at time.Time) (promql.Query, error) {
	now := timestamp.FromTime(at)
	n, err := e.estimate(ctx, q, o, expr, times{now, now, 1})
	if err != nil {
		return nil, err
	}
	return e.admit(n)(e.engine.NewInstantQuery(ctx, q, o, expr, at))
}

// NewRangeQuery prepares a query from one moment to another.
func (e *Engine) NewRangeQuery(ctx context.Context, q storage.Queryable, o promql.QueryOpts, expr string, from,
	to time.Time, step time.Duration) (promql.Query, error) {
	n, err := e.estimate(ctx, q, o, expr, times{timestamp.FromTime(from), timestamp.FromTime(to),
		max(1, step.Milliseconds())})
	if err != nil {
		return nil, err
	}
	return e.admit(n)(e.engine.NewRangeQuery(ctx, q, o, expr, from, to, step))
}

// estimate returns how many points a query takes at most.
func (e *Engine) estimate(ctx context.Context, q storage.Queryable, o promql.QueryOpts, expr string, t times) (int,
	error) {
	if len(expr) > maxExpression {
		return 0, fmt.Errorf("an expression of %d bytes is too long: at most %d", len(expr), maxExpression)
	}
	parsed, err := Parser().ParseExpr(expr)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.bounds.Timeout)
	defer cancel()
	about := estimate{ctx: ctx, store: q, expr: expr, lookback: lookback, most: float64(e.bounds.Points)}
	if o != nil && o.LookbackDelta() > 0 {
		about.lookback = o.LookbackDelta().Milliseconds()
	}
	_, err = about.of(parsed, t)
	return int(about.points), err
}

// admit makes a query wait for its points.
func (e *Engine) admit(n int) func(promql.Query, error) (promql.Query, error) {
	return func(q promql.Query, err error) (promql.Query, error) {
		if err != nil {
			return nil, err
		}
		return &admitted{Query: q, points: e.points, n: n}, nil
	}
}

// At evaluates a query at one moment. An expression that cannot be parsed is of kind
// fail.BadInput and says where; so is one that is too large.
func At(ctx context.Context, e *Engine, q storage.Queryable, expr string, at time.Time) (Answer, error) {
	query, err := e.NewInstantQuery(ctx, q, nil, expr, at)
	return execute(ctx, query, expr, err)
}

// Over evaluates a query from one moment to another in steps.
func Over(ctx context.Context, e *Engine, q storage.Queryable, expr string, from, to time.Time,
	step time.Duration) (Answer, error) {
	if step <= 0 {
		return Answer{}, fail.New(fail.BadInput, "step is %v, want more than 0", step)
	}
	if n := to.Sub(from) / step; n > MaxSteps {
		return Answer{}, fail.New(fail.BadInput, "%d steps of %v, want at most %d", n, step,
			MaxSteps).WithHint("ask for longer steps")
	}
	query, err := e.NewRangeQuery(ctx, q, nil, expr, from, to, step)
	return execute(ctx, query, expr, err)
}

func execute(ctx context.Context, query promql.Query, expr string, err error) (Answer, error) {
	if err != nil {
		return Answer{}, fail.New(fail.BadInput, "query %s: %w", expr, err)
	}
	defer query.Close()
	result := query.Exec(ctx)
	if err := result.Err; err != nil {
		if errors.As(err, new(promql.ErrStorage)) {
			return Answer{}, fail.New(fail.Storage, "query %s: %w", expr, err)
		}
		return Answer{}, fail.New(fail.BadInput, "query %s: %w", expr, err)
	}
	warnings, infos := result.Warnings.AsStrings(expr, 10, 10)
	return answerOf(result.Value, append(warnings, infos...)), nil
}

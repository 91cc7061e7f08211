package metrics

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/fail"
)

// Parser reads PromQL as the stable releases of Prometheus do.
func Parser() parser.Parser { return parser.NewParser(parser.Options{}) }

// Bounds of one query.
const (
	maxSamples   = 50_000_000 // Prometheus' default
	queryTimeout = time.Minute
	// MaxSteps is how many points per series a query over a range may ask for, as in
	// Prometheus' HTTP API.
	MaxSteps = 11_000
)

// NewEngine returns Prometheus' query engine with its usual settings.
func NewEngine() *promql.Engine {
	return promql.NewEngine(promql.EngineOpts{
		Logger: slog.New(slog.DiscardHandler), MaxSamples: maxSamples, Timeout: queryTimeout,
		EnableAtModifier: true, EnableNegativeOffset: true, Parser: Parser(),
		NoStepSubqueryIntervalFn: func(int64) int64 { return DefaultInterval.Milliseconds() },
	})
}

// At evaluates a query at one moment. An expression that cannot be parsed is of kind
// fail.BadInput and says where.
func At(ctx context.Context, e *promql.Engine, q storage.Queryable, expr string, at time.Time) (Answer, error) {
	query, err := e.NewInstantQuery(ctx, q, nil, expr, at)
	return execute(ctx, query, expr, err)
}

// Over evaluates a query from one moment to another in steps.
func Over(ctx context.Context, e *promql.Engine, q storage.Queryable, expr string, from, to time.Time, step time.Duration) (Answer, error) {
	if step <= 0 {
		return Answer{}, fail.New(fail.BadInput, "step is %v, want more than 0", step)
	}
	if n := to.Sub(from) / step; n > MaxSteps {
		return Answer{}, fail.New(fail.BadInput, "%d steps of %v, want at most %d", n, step, MaxSteps).WithHint("a longer --step")
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

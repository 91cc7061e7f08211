package main

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/cmd/hone-metrics/internal/promapi"
	"github.com/gohone/hone/internal/text/fail"
)

// queryFlags say over what time a query is evaluated.
type queryFlags struct {
	metricsFlags
	run, at, from, to string
	step              time.Duration
}

func (a *app) queryCommand() *cobra.Command {
	f := &queryFlags{}
	cmd := &cobra.Command{
		Use:   "query EXPR",
		Short: "Evaluate PromQL over the time series of a run",
		Long: `query evaluates an expression of PromQL over the whole time of a run, in steps, and
prints each series with its last, mean, least and greatest value. --at evaluates it at one
moment. Moments are times (RFC 3339, or seconds since 1970) or offsets: 5s is five seconds
after the first sample, -5s five seconds before the last one.

Without --run it evaluates over all runs; the label run tells them apart.`,
		Example: `  hone metrics query 'rate(framed_requests_received_total[15s])' --run RUN
  hone metrics query 'histogram_quantile(0.99, rate(hone_load_latency_seconds[5s]))' --run RUN
  hone metrics query go_goroutines --run RUN --at -1s
  hone metrics query '{__name__=~"framed_.*"}' --run RUN --at -0s`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.query(cmd.Context(), f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.run, "run", "", "`RUN` to query: the start of its id, or a baseline")
	fl.StringVar(&f.at, "at", "", "evaluate at one `MOMENT` only")
	fl.StringVar(&f.from, "from", "", "first `MOMENT` (default the first sample)")
	fl.StringVar(&f.to, "to", "", "last `MOMENT` (default the last sample)")
	fl.DurationVar(&f.step, "step", 0, "time between two evaluations (default 1s, or what makes 250 of them)")
	f.add(cmd)
	return cmd
}

// querySteps is how many evaluations a query has unless --step says otherwise.
const querySteps = 250

func (a *app) query(ctx context.Context, f *queryFlags, expr string) error {
	view, run, err := a.openSeries(&f.metricsFlags, f.run)
	if err != nil {
		return err
	}
	defer view.Close()
	first, last := view.Range()
	if first.IsZero() {
		return fail.New(fail.BadInput, "there are no time series in %s", f.ledger).WithHint("hone run records them")
	}
	engine := library.NewEngine(library.Usual)
	q := queryAnswer{Schema: "hone.metrics.query/1", Run: run, Expr: expr}
	if f.at != "" {
		if q.From, err = moment(f.at, first, last); err != nil {
			return err
		}
		q.To = q.From
		q.Answer, err = library.At(ctx, engine, view, expr, q.From)
	} else {
		if q.From, err = moment(cmp.Or(f.from, "0s"), first, last); err != nil {
			return err
		}
		if q.To, err = moment(cmp.Or(f.to, "-0s"), first, last); err != nil {
			return err
		}
		if q.To.Before(q.From) {
			return fail.New(fail.BadInput, "--to %s is before --from %s", q.To.Format(time.RFC3339),
				q.From.Format(time.RFC3339))
		}
		q.Step = cmp.Or(f.step, max(time.Second, (q.To.Sub(q.From)/querySteps).Truncate(time.Second)))
		q.Answer, err = library.Over(ctx, engine, view, expr, q.From, q.To, q.Step)
	}
	if err != nil {
		return err
	}
	return a.Print(f.json, q, func(w io.Writer) error { return writeAnswer(w, q) })
}

// moment reads a time, or an offset to the first sample or, with a minus, to the last.
func moment(text string, first, last time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil {
		if strings.HasPrefix(text, "-") {
			return last.Add(d), nil
		}
		return first.Add(d), nil
	}
	at, err := promapi.ParseTime(text)
	if err != nil {
		return at, fail.New(fail.BadInput, "moment %q: %w", text, err).
			WithHint("write a time such as %s, seconds since 1970, or an offset such as 5s or -5s",
				last.UTC().Format(time.RFC3339))
	}
	return at, nil
}

package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/internal/text/fail"
)

// gcRows is how many rows the timeline of a collector has.
const gcRows = 20

func (a *app) gcCommand() *cobra.Command {
	f := &metricsFlags{}
	cmd := &cobra.Command{
		Use:   "gc RUN",
		Short: "What the program's own metrics say of its garbage collector",
		Long: `gc shows collections, pauses, heap and goroutines over the time of a run, from the metrics that a Go program
serves with client_golang's default collector. hone profile gc shows more of a program that has the probe.`,
		Example: `  hone metrics gc RUN`,
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.gc(cmd.Context(), f, args[0]) },
	}
	f.add(cmd)
	return cmd
}

func (a *app) gc(ctx context.Context, f *metricsFlags, name string) error {
	view, run, err := a.openSeries(f, name)
	if err != nil {
		return err
	}
	defer view.Close()
	from, to := view.Range()
	line, err := library.GCTimeline(ctx, library.NewEngine(library.Usual), view, from, to, gcRows)
	if err != nil {
		return err
	}
	if len(line) == 0 {
		return fail.New(fail.BadInput, "run %s has no metrics of a Go program's collector", run).
			WithHint("a program shows them with promhttp.Handler(); hone profile gc %s shows what the probe read", run)
	}
	return a.Print(f.json, struct {
		Schema string       `json:"schema"`
		Run    string       `json:"run"`
		Line   []library.GC `json:"moments"`
	}{"hone.gcmetrics/1", run, line}, func(w io.Writer) error { return writeGC(w, line) })
}

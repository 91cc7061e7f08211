package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/store/ledger"
)

// app is what the commands share.
type app struct{ *extension.Terminal }

func commands(t *extension.Terminal) *cobra.Command {
	a := &app{t}
	cmd := &cobra.Command{
		Use:   "hone-metrics",
		Short: "Query, serve and send the time series of runs",
		Long: `While hone run or hone compare loads programs, hone records the program's own /metrics, its
runtime and its processes, the host, and the load. The scrapes are kept with the run, in
.hone/metrics; hone metrics reads them into a Prometheus.`,
	}
	cmd.AddCommand(a.queryCommand(), a.runsCommand(), a.serveCommand(), a.pushCommand(), a.gcCommand(),
		a.pruneCommand(), a.observeCommand())
	return cmd
}

func (a *app) runsCommand() *cobra.Command {
	f := &metricsFlags{}
	cmd := &cobra.Command{
		Use:     "runs",
		Short:   "List the runs that have time series",
		Example: `  hone metrics runs`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := f.store()
			if err != nil {
				return err
			}
			runs, err := store.Runs()
			if err != nil {
				return err
			}
			return a.Print(f.json, struct {
				Schema string             `json:"schema"`
				Runs   []metrics.Recorded `json:"runs"`
			}{"hone.metrics.runs/1", runs}, func(w io.Writer) error { return writeRuns(w, runs) })
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) pruneCommand() *cobra.Command {
	f, keep := &metricsFlags{}, 0
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the time series of old runs",
		Long: `prune removes the time series of all runs but the newest and the baselines. The runs
themselves stay. hone run does this by itself when more than 200 runs have time series.`,
		Example: `  hone metrics prune --keep 20`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			l, err := ledger.Open(f.ledger)
			if err != nil {
				return err
			}
			defer l.Close()
			pinned, err := l.Pinned()
			if err != nil {
				return err
			}
			removed, err := metrics.In(f.ledger).Keep(max(0, keep), pinned...)
			if err != nil {
				return err
			}
			return a.Print(f.json, struct {
				Schema  string `json:"schema"`
				Removed int    `json:"removed"`
			}{"hone.metrics.prune/1", removed}, func(w io.Writer) error { return writePruned(w, removed) })
		},
	}
	cmd.Flags().IntVar(&keep, "keep", metrics.KeptRuns, "how many of the newest runs keep their series")
	f.add(cmd)
	return cmd
}

// metricsFlags are those of all commands that read the store.
type metricsFlags struct {
	ledger string
	json   bool
}

func (f *metricsFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.ledger, "ledger", ".hone", "directory of the ledger")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON with a schema version")
}

// store is where the series are. It is refused if it came with a checkout.
func (f *metricsFlags) store() (metrics.Store, error) {
	return metrics.In(f.ledger), ledger.CheckOrigin(f.ledger)
}

// openSeries opens the series of one run, by the start of its id or the name of a baseline, or
// those of all runs.
func (a *app) openSeries(f *metricsFlags, name string) (view *library.View, run string, err error) {
	if name == "" {
		store, err := f.store()
		if err != nil {
			return nil, "", err
		}
		view, err = library.Open(store)
		return view, "", err
	}
	l, err := ledger.OpenReader(f.ledger)
	if err != nil {
		return nil, "", err
	}
	defer l.Close()
	row, err := l.Run(name)
	if err != nil {
		return nil, "", err
	}
	view, err = library.Open(metrics.In(f.ledger), row.ID)
	return view, row.ID, err
}

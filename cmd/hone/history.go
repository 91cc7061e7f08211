package main

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
)

func (a *app) historyCommand() *cobra.Command {
	f := &measureFlags{}
	limit := 0
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the runs and comparisons of the ledger, newest last",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.history(f, limit) },
	}
	f.addOutput(cmd)
	cmd.Flags().IntVarP(&limit, "number", "n", 50, "show the newest N; 0 shows all")
	return cmd
}

func (a *app) history(f *measureFlags, limit int) error {
	l, err := ledger.OpenReader(f.ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	runs, err := l.Runs(ledger.RunFilter{Limit: limit})
	if err != nil {
		return err
	}
	comparisons, err := l.Comparisons(limit)
	if err != nil {
		return err
	}
	if f.json {
		return a.printJSON(struct {
			Schema      string              `json:"schema"`
			Runs        []ledger.Run        `json:"runs"`
			Comparisons []ledger.Comparison `json:"comparisons"`
		}{"hone.history/1", runs, comparisons})
	}
	return report.History(a.stdout, runs, comparisons)
}

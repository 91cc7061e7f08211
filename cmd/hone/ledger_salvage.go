package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
)

func (a *app) ledgerSalvageCommand() *cobra.Command {
	f := &measureFlags{}
	cmd := &cobra.Command{
		Use:   "salvage",
		Short: "Build a new database from the whole parts of a damaged ledger, and keep the damaged one",
		Long: `salvage builds a new database. Its rows come from the records, which hold each finished run and
comparison in a file of its own, and from the readable rows that have no record. It verifies the
new database, keeps the damaged one as ledger.db.damaged-TIME beside it, and lists what is lost.
In a sound ledger it only writes missing or damaged records again. You may interrupt and repeat
it at any time.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.salvage(f) },
	}
	f.addOutput(cmd)
	return cmd
}

func (a *app) salvage(f *measureFlags) error {
	done, err := ledger.Salvage(a.ctx, f.Ledger, 0)
	if err != nil {
		return err
	}
	return a.print(f.JSON, struct {
		Schema string `json:"schema"`
		ledger.Salvaged
	}{"hone.ledger-salvage/1", done}, func(w io.Writer) error { return report.Salvage(w, done) })
}

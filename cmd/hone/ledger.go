package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Check and repair the ledger",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	app.HoldsOthers(cmd)
	cmd.AddCommand(a.ledgerVerifyCommand(), a.ledgerRepairCommand())
	return cmd
}

func (a *commands) ledgerVerifyCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check every record and every file of the ledger against its checksum",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.verify(f) },
	}
	f.Add(cmd, spec.ForReading)
	return cmd
}

func (a *commands) verify(f *app.MeasureFlags) error {
	l, err := ledger.OpenReader(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	found, err := l.Verify(a.Ctx)
	if err != nil {
		return err
	}
	err = a.Print(f.JSON, struct {
		Schema string `json:"schema"`
		ledger.Report
	}{"hone.ledger-verify/2", found}, func(w io.Writer) error { return report.Verification(w, found) })
	if err == nil && len(found.Faults) > 0 {
		return fail.New(fail.Storage, "the ledger has %d damaged part(s); all other parts are whole",
			len(found.Faults)).
			WithHint("restore these files from a backup; or hone ledger repair moves them aside, and what was measured is lost")
	}
	return err
}

func (a *commands) ledgerRepairCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Move the damaged files of the ledger aside, so that all that is left is whole",
		Long: `repair checks the ledger as verify does, and moves each damaged file into the directory damaged/TIME of the
ledger. A run whose slices or profiles were damaged stays, as partial and without them. A run whose record was
damaged is lost, and named. Restore damaged files from a backup before you repair, if there is one. A sound
ledger stays as it is. You may interrupt and repeat it at any time.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.repair(f) },
	}
	f.Add(cmd, spec.ForReading)
	return cmd
}

func (a *commands) repair(f *app.MeasureFlags) error {
	done, err := ledger.Repair(a.Ctx, f.Ledger, 0)
	if err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema string `json:"schema"`
		ledger.Repaired
	}{"hone.ledger-repair/1", done}, func(w io.Writer) error { return report.Repair(w, done) })
}

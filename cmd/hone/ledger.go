package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
)

func (a *app) ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Check and repair the ledger",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.ledgerVerifyCommand(), a.ledgerSalvageCommand())
	return cmd
}

func (a *app) ledgerVerifyCommand() *cobra.Command {
	f := &measureFlags{}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check every stored file against its name and every row against its file",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.verify(f) },
	}
	f.addOutput(cmd)
	return cmd
}

func (a *app) verify(f *measureFlags) error {
	l, err := ledger.OpenReader(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	found, err := l.Verify(a.ctx)
	if err != nil {
		return err
	}
	err = a.print(f.JSON, struct {
		Schema string `json:"schema"`
		ledger.Report
	}{"hone.ledger-verify/1", found}, func(w io.Writer) error { return report.Verification(w, found) })
	if err == nil && len(found.Faults) > 0 {
		return fail.New(fail.Storage, "the ledger has %d damaged part(s); all other parts are whole", len(found.Faults)).
			WithHint("hone ledger salvage repairs the database and the records from each other; measure lost files again, or restore them from a backup")
	}
	return err
}

// readLedger opens the ledger for a command that only shows what is in it. A damaged one
// is shown as far as it is whole; the command then ends with exit code 5.
func (a *app) readLedger(dir string) (*ledger.Ledger, error) {
	l, err := ledger.OpenReader(dir)
	if err == nil {
		a.damage = l.Damage()
	}
	return l, err
}

// withDamage is the error of a command that ended with err and may have read a damaged
// ledger. A fault of its own is explained before: it may follow from the damage.
func (a *app) withDamage(err error) error {
	if a.damage == nil {
		return err
	}
	if err != nil {
		a.explain(err)
	}
	return a.damage
}

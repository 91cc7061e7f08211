package main

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
)

func (a *app) ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Look after the ledger itself",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.ledgerVerifyCommand())
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
	l, err := ledger.OpenReader(f.ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	found, err := l.Verify(a.ctx)
	if err != nil {
		return err
	}
	if f.json {
		err = a.printJSON(struct {
			Schema string `json:"schema"`
			ledger.Report
		}{"hone.ledger-verify/1", found})
	} else {
		err = report.Verification(a.stdout, found)
	}
	if err == nil && len(found.Faults) > 0 {
		return fail.New(fail.Storage, "the ledger has %d damaged part(s); everything else is readable", len(found.Faults)).
			WithHint("the runs named above lost that part; measure them again where it matters")
	}
	return err
}

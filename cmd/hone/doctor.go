package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/program/doctor"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

func (a *commands) doctorCommand() *cobra.Command {
	f := &measureFlags{}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine: what measurements lack, and what disturbs them",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.doctor(f) },
	}
	f.add(cmd, spec.ForReading)
	return cmd
}

func (a *commands) doctor(f *measureFlags) error {
	guard, err := roleArgv(guardRole)
	if err != nil {
		return err
	}
	conditions := doctor.Examine(a.ctx, guard, f.Ledger)
	if f.JSON {
		err := a.printJSON(struct {
			Schema     string             `json:"schema"`
			Conditions []doctor.Condition `json:"conditions"`
		}{"hone.doctor/1", conditions})
		if err != nil {
			return err
		}
	}
	failed := 0
	for _, c := range conditions {
		if c.State == doctor.Fail {
			failed++
		}
		if f.JSON {
			continue
		}
		fmt.Fprintf(a.stdout, "%-4s  %-10s  %s\n", c.State, c.Name, printable.Line(c.Text))
		if c.Hint != "" {
			fmt.Fprintf(a.stdout, "%18shint: %s\n", "", c.Hint)
		}
	}
	if failed > 0 {
		return fail.New(fail.Environment, "%d condition(s) keep hone from working here", failed)
	}
	return nil
}

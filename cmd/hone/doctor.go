package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/doctor"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

func (a *commands) doctorCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine: what measurements lack, and what disturbs them",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.doctor(f) },
	}
	f.Add(cmd, spec.ForReading)
	return cmd
}

func (a *commands) doctor(f *app.MeasureFlags) error {
	guard, err := app.RoleArgv(app.GuardRole)
	if err != nil {
		return err
	}
	conditions := doctor.Examine(a.Ctx, guard, f.Ledger)
	if f.JSON {
		err := a.PrintJSON(struct {
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
		fmt.Fprintf(a.Stdout, "%-4s  %-10s  %s\n", c.State, c.Name, printable.Line(c.Text))
		if c.Hint != "" {
			fmt.Fprintf(a.Stdout, "%18shint: %s\n", "", c.Hint)
		}
	}
	if failed > 0 {
		return fail.New(fail.Environment, "%d condition(s) keep hone from working here", failed)
	}
	return nil
}

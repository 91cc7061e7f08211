package main

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
)

// guardCommand is what hone runs as the parent of every subject: it stops the subject
// when hone dies. It is not for users.
func (a *commands) guardCommand() *cobra.Command {
	return &cobra.Command{
		Use:    app.GuardRole,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if code := guard.Run(); code != 0 {
				return cli.Shown(fail.New(fail.Kind(code), "guard ended with %d", code))
			}
			return nil
		},
	}
}

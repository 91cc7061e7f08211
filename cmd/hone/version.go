package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec/cli"
)

func (a *commands) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print hone's version, its commit and the Go toolchain it was built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := cli.ThisBuild()
			if asJSON {
				return a.PrintJSON(b)
			}
			_, err := fmt.Fprintln(a.Stdout, b.Line("hone"))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

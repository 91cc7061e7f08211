package main

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec/extension"
)

// app is what the commands share.
type app struct{ *extension.Terminal }

func commands(t *extension.Terminal) *cobra.Command {
	a := &app{t}
	cmd := &cobra.Command{
		Use:   "hone-share",
		Short: "Share runs through an object store, and their profiles with Grafana Pyroscope",
		Long: `hone share push puts runs into an S3-compatible store, and hone share pull gets them on any machine. They
are then runs of the ledger like all others: hone compare RUN1 RUN2 compares them.`,
	}
	cmd.AddCommand(a.pushCommand(), a.pullCommand(), a.objectsCommand())
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-metrics/internal/observe"
)

func (a *app) observeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "observe",
		Short: "Write a stack of Prometheus and Grafana that watches a service",
		Long: `Use observe when hone's own recordings are not enough: to watch a service day and night, or
with several people. docs/metrics.md says more.`,
	}
	cmd.AddCommand(a.observeUpCommand())
	return cmd
}

func (a *app) observeUpCommand() *cobra.Command {
	var s observe.Stack
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:   "up DIR [flags]",
		Short: "Write compose.yaml, Prometheus' configuration and Grafana's dashboards",
		Long: `up writes a directory for docker compose: Prometheus, node_exporter and Grafana, with
dashboards for the service, the machine, the Go runtime and hone's own load. Start the
service first: its dashboard and rules are made from the metrics that it shows now. If it shows
none, they are made from the metrics that every Go program has. up starts nothing. It does not
overwrite a file that you changed; with --force it does, and keeps yours as NAME.bak.`,
		Example: `  hone metrics observe up observe
  hone metrics observe up observe --service 127.0.0.1:8080 --interval 15s`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.Validate(); err != nil {
				return err
			}
			var unread error
			s.Families, unread = observe.Scrape(cmd.Context(), s.Service)
			files, err := observe.Files(s)
			if err != nil {
				return err
			}
			outcomes, err := observe.Write(args[0], files, force)
			if err != nil {
				return err
			}
			summary := observe.NewSummary(args[0], s, outcomes, unread)
			return a.Print(asJSON, summary, summary.WriteText)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.Service, "service", observe.DefaultService, "`HOST:PORT` of the service's metrics page")
	flags.StringVar(&s.Hone, "hone", observe.DefaultHone, "`HOST:PORT` where hone serves metrics")
	flags.DurationVar(&s.Interval, "interval", observe.DefaultInterval, "time from one scrape to the next")
	flags.BoolVar(&force, "force", false, "overwrite files that differ, and keep yours as NAME.bak")
	flags.BoolVar(&asJSON, "json", false, "print JSON with a schema version")
	return cmd
}

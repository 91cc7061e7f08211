package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/metrics/goruntime"
	"github.com/gohone/hone/internal/program/metrics/host"
	"github.com/gohone/hone/internal/program/metrics/process"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/recorder"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
)

// recorderCommand is what hone runs beside a measurement: it records the metrics. It is not
// for users.
func (a *commands) recorderCommand() *cobra.Command {
	return &cobra.Command{
		Use:    app.RecorderRole,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if code := recorder.Main(recorderParts()); code != 0 {
				return cli.Shown(fail.New(fail.Kind(code), "recorder ended with %d", code))
			}
			return nil
		},
	}
}

// runtimeTimeout bounds a look at the latest reading of the runtime, which is at hand.
const runtimeTimeout = 100 * time.Millisecond

func recorderParts() recorder.Parts {
	return recorder.Parts{
		Host: func() (prometheus.Collector, error) { return host.New() },
		Processes: func(usage func() (usage.Reading, error), main func() int) prometheus.Collector {
			return process.New(usage, main)
		},
		Runtime: func(read func(context.Context) (probeclient.Metrics, error)) prometheus.Collector {
			return goruntime.New(read, runtimeTimeout)
		},
	}
}

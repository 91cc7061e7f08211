package main

import (
	"cmp"
	"io"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/read"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/load"
)

func (a *commands) loadCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "load TARGET [TARGET...] [flags]",
		Short: "Load a server that already runs, and report rates, latencies and errors",
		Long: `load sends requests to a server that already runs and reports rates, latencies and
errors. It starts nothing; hone run builds, starts, loads and profiles a program.

Without --rate the load is a closed loop: every connection sends its next request when it has
an answer. Latency is then service time. With --rate the load is an open loop: requests are due
at planned moments, and wait if no connection is free. Latency is then response time, from the
moment a request was due. A request that is unanswered or unsent at the end counts with its age.

The result is kept in the ledger as a run: hone show, hone history, hone compare and hone export
take its name. If the ledger cannot be written, the test goes on without it, with a warning.

The scheme of TARGET is the protocol:
` + protocolList() + `
If a measurement cannot be trusted, hone says why and exits with 4.`,
		Example: `  hone load http://127.0.0.1:8080/items -c 50 -d 30s
  hone load http://127.0.0.1:8080/items --rate 1000 -c 50 --fail-if 'p99>300ms'
  hone load http://127.0.0.1:8080/items --rate 100..5000 --steps 10 -d 60s
  hone load http://127.0.0.1:8080/items --find-max 'p99<10ms'
  hone load unix:/run/app.sock:/items -n 100000 -o result.jsonl
  hone load report result.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.load(f, cmd, args) },
	}
	app.AddOptions(cmd, spec.ForLoad, f)
	cmd.AddCommand(a.loadReportCommand(), a.loadMergeCommand(), a.loadPlotCommand())
	return cmd
}

func (a *commands) load(f *spec.Spec, cmd *cobra.Command, targets []string) error {
	if len(targets) == 0 && f.CalibrateFirst {
		return a.calibrate(f)
	}
	if err := app.WantNoSource(cmd, targets, "the address of a server that runs already"); err != nil {
		return err
	}
	set, asked := spec.Of(cmd.Flags()), &read.Requests{}
	var said []string
	err := a.Reading(func() (err error) {
		targets, said, err = asked.TakeForLoad(a.Ctx, f, set, targets)
		return err
	})
	if err != nil {
		return err
	}
	a.Say(f.Quiet, said)
	if len(targets) == 0 {
		return fail.New(fail.BadInput,
			"no target to load").WithHint("for example: hone load http://127.0.0.1:8080/ -c 50 -d 10s")
	}
	f.Seed = cmp.Or(f.Seed, app.NewSeed())
	err = a.Reading(func() error { return asked.LoadTest(f, set.Given, targets, max(1, usableCPUs()/2)) })
	if err != nil {
		return err
	}
	task := loadtest.Task{Load: f.Load, Sending: f.Sending, Test: f.Test, File: f.Recording,
		Command: app.CommandLine(cmd, a.Words)}
	out, err := a.runLoad(f, task)
	if out == nil {
		return err
	}
	printed := writeLoad(a.Stdout, f.Output, out.Recording,
		loadtests.Document{ID: out.Run, Search: out.Search, File: task.File, Command: task.Command.Redacted()},
		app.Detail(f.Output))
	if log := asked.Fit; log != nil {
		sum := recording.Summarize(out.Recording)
		a.Say(f.Quiet, log.After(sum.Requests.Answered+sum.Requests.Failed, sum.BytesReceived))
	}
	if !f.NoReport {
		a.ReportIn(f.Ledger, out.Run, f.JSON, f.Quiet)
	}
	return cmp.Or(err, printed, keepLoadMetrics(f.Ledger, out))
}

// keepLoadMetrics keeps a load test of the ledger as time series, too.
func keepLoadMetrics(dir string, out *loadtest.Result) error {
	if out.Run == "" {
		return nil
	}
	h := out.Recording.Header
	asked := 0.0
	if h.Schedule.Open() && len(h.Schedule.Stages) == 1 && h.Schedule.Stages[0].From == h.Schedule.Stages[0].To {
		asked = h.Schedule.Stages[0].From
	}
	return metrics.In(dir).RecordLoad(out.Run, asked, h.Interval, func(yield func(load.Slice) bool) {
		for _, s := range out.Recording.Slices {
			if !yield(s.Slice) {
				return
			}
		}
	})
}

// runLoad carries the test out with progress on stderr.
func (a *commands) runLoad(f *spec.Spec, task loadtest.Task) (*loadtest.Result, error) {
	progress := a.Progress(f.Quiet)
	defer progress.Clear()
	teller := live.New(string(page.KindLoad), redact.URL(task.Target), progress)
	defer teller.End()
	t := &loadtest.Tester{Version: app.Version(), Progress: teller}
	begin := sync.OnceFunc(func() { teller.Begin(f.Ledger) })
	if !f.NoLedger {
		t.Ledger = func() (*ledger.Ledger, error) {
			store, err := a.OpenToMeasure(f.Ledger)
			if err == nil {
				begin()
			}
			return store, err
		}
	}
	if f.AgentChoice != "" {
		return a.loadFromAgents(f, t, task)
	}
	if len(task.FindMax) > 0 {
		return t.FindMax(a.Ctx, a.Hard, task)
	}
	return t.Run(a.Ctx, a.Hard, task)
}

// calibrate measures the generator alone.
func (a *commands) calibrate(f *spec.Spec) error {
	progress := a.Progress(f.Quiet)
	t := &loadtest.Tester{Version: app.Version(), Progress: progress}
	p := f.Plan
	p.Timeout = p.RequestTimeout
	p.Workers = max(1, p.Workers)
	c, err := t.Calibrate(a.Ctx, "http", p, 0)
	progress.Clear()
	if err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema string `json:"schema"`
		recording.Calibration
	}{"hone.calibration/1", *c}, func(w io.Writer) error { return report.Calibration(w, *c, p) })
}

// usableCPUs is how many CPUs this process may use.
func usableCPUs() int {
	if cpus, err := affinity.AllowedCPUs(); err == nil && len(cpus) > 0 {
		return len(cpus)
	}
	return runtime.NumCPU()
}

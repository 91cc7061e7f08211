package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prometheus/common/model"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/cmd/hone-metrics/internal/remotewrite"
	"github.com/gohone/hone/internal/text/fail"
)

// pushFlags say what is sent where.
type pushFlags struct {
	metricsFlags
	to, match string
	labels    []string
	headers   []string
	options   remotewrite.Options
}

// Secrets come by the environment: the command line is for everybody to read.
const (
	passwordVariable = "HONE_PUSH_PASSWORD"
	tokenVariable    = "HONE_PUSH_TOKEN"
)

func (a *app) pushCommand() *cobra.Command {
	f := &pushFlags{}
	cmd := &cobra.Command{
		Use:   "push RUN",
		Short: "Send the time series of a run to a Prometheus-compatible store",
		Long: `push sends the time series of a run by Prometheus' remote write, to Prometheus itself
(--web.enable-remote-write-receiver), Mimir, Thanos, VictoriaMetrics and others. The label
run goes with them. A password or a bearer token is read from the environment, from
` + passwordVariable + ` and ` + tokenVariable + `.

A store takes a run once: it refuses a second push of the same samples. It also refuses samples
that are much older than its newest, unless its out_of_order_time_window allows them.`,
		Example: `  hone metrics push RUN --to http://127.0.0.1:9090/api/v1/write
  hone metrics push RUN --to https://mimir.example/api/v1/push --header 'X-Scope-OrgID: team' --label host=ci`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.push(cmd.Context(), f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.to, "to", "", "`URL` of the store's remote write endpoint")
	fl.StringVar(&f.match, "match", `{__name__=~".+"}`, "`SELECTOR` of the series that are sent")
	fl.StringArrayVar(&f.labels, "label", nil, "`NAME=VALUE` to add to every series (repeatable)")
	fl.StringArrayVar(&f.headers, "header", nil, "header of the requests, `'Name: value'` (repeatable)")
	fl.StringVar(&f.options.Username, "user", "", "user `NAME` for basic authentication; the password is in "+
		passwordVariable)
	fl.StringVar(&f.options.Protocol, "protocol", "1.0", "remote write protocol, 1.0 or 2.0")
	if err := cmd.MarkFlagRequired("to"); err != nil {
		panic(err) // the flag is declared above
	}
	f.add(cmd)
	return cmd
}

func (a *app) push(ctx context.Context, f *pushFlags, run string) error {
	if err := f.finish(); err != nil {
		return err
	}
	matchers, err := library.Parser().ParseMetricSelector(f.match)
	if err != nil {
		return fail.New(fail.BadInput, "--match %s: %w", f.match, err)
	}
	view, id, err := a.openSeries(&f.metricsFlags, run)
	if err != nil {
		return err
	}
	defer view.Close()
	first, last := view.Range()
	stats, err := remotewrite.Push(ctx, f.to, view, remotewrite.Selection{From: first, To: last, Matchers: matchers},
		f.options)
	if err != nil {
		return err
	}
	return a.Print(f.json, struct {
		Schema string `json:"schema"`
		Run    string `json:"run"`
		remotewrite.Stats
	}{"hone.metrics.push/1", id, stats}, func(w io.Writer) error { return writePushed(w, id, f.to, stats) })
}

// finish reads the flags that need work, and the secrets.
func (f *pushFlags) finish() error {
	o := &f.options
	o.Password, o.BearerToken = os.Getenv(passwordVariable), os.Getenv(tokenVariable)
	o.Labels = map[string]string{}
	for _, text := range f.labels {
		name, value, found := strings.Cut(text, "=")
		if !found || name == "" || name == model.MetricNameLabel {
			return fail.New(fail.BadInput, "--label %q: want NAME=VALUE", text)
		}
		o.Labels[name] = value
	}
	o.Headers = map[string]string{}
	for _, text := range f.headers {
		name, value, found := strings.Cut(text, ":")
		if !found || name == "" {
			return fail.New(fail.BadInput, "--header %q: want 'Name: value'", text)
		}
		o.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return nil
}

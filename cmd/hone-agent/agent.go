package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/fleet"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/units"
)

// app is what the commands share.
type app struct{ *extension.Terminal }

// agentFlags are what hone agent is told.
type agentFlags struct {
	link     linkFlags
	allow    []string
	labels   []string
	trust    []string
	name     string
	dir      string
	rate     string
	most     int
	capacity string
	runs     int
}

func commands(t *extension.Terminal) *cobra.Command {
	a, f := &app{t}, &agentFlags{}
	cmd := &cobra.Command{
		Use:   "hone-agent",
		Short: "Load from this machine for hone load, run and compare on another one (--agents)",
		Long: `hone agent waits for load tests of coordinators that it trusts, and carries out its part of each.

It only loads: it builds nothing and executes nothing. It loads only addresses that --allow
names (default: this machine), whatever an order says. Orders are signed: it takes those of
the same user on this machine, and of the keys that --trust names. A load ends by itself
` + cluster.LeaseFor.String() + ` after the coordinator was last heard.

First it measures what it can send (3 s): its part of a load is in proportion to that.`,
		Example: `  hone agent --nats nats://10.0.0.5:4222 --token-file token --trust UABC... --allow 10.0.0.9:8080 --labels zone=a`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.agent(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	f.link.add(fl)
	fl.StringArrayVar(&f.allow, "allow", nil,
		"`ADDRESSES` that may be loaded: an address or prefix with its ports, such as 10.0.0.9:8080 (repeatable; default "+
			"127.0.0.0/8 and ::1)")
	fl.StringSliceVar(&f.labels, "labels", nil, "`LABELS` for choosing agents, such as zone=a,disk=ssd")
	fl.StringArrayVar(&f.trust, "trust", nil,
		"public `KEY` of a coordinator whose orders are taken (repeatable; the user's own always is)")
	fl.StringVar(&f.name, "name", "", "`NAME` in reports (default: the host's)")
	fl.StringVar(&f.dir, "dir", "",
		"`DIRECTORY` for recordings until the coordinator has them (default: one in the user's cache)")
	fl.StringVar(&f.rate, "max-rate", "", "refuse parts of more than this `RATE`, in requests per second")
	fl.IntVar(&f.most, "max-connections", 0, "refuse parts of more than `N` connections (default no limit)")
	fl.StringVar(&f.capacity, "capacity", "", "`RATE` that this machine can send, instead of measuring it")
	fl.IntVar(&f.runs, "runs", 0, "end after `N` load tests (default: when it is interrupted)")
	cmd.AddCommand(a.listCommand(), a.keyCommand(), a.brokerCommand(), a.coordinateCommand())
	return cmd
}

func (a *app) agent(ctx context.Context, f *agentFlags) error {
	keys, err := fleet.UserKeys()
	if err != nil {
		return err
	}
	agent, err := f.agent(keys)
	if err != nil {
		return err
	}
	agent.Log = func(line string) {
		fmt.Fprintf(a.Stderr, "%s %s\n", time.Now().Format(time.TimeOnly), printable.Line(line))
	}
	o, err := f.link.options(keys, "hone agent "+agent.Name)
	if err != nil {
		return err
	}
	o.URL, o.Patient = cmp.Or(o.URL, "nats://"+natslink.DefaultListen), true
	if agent.CapacityHz == 0 {
		agent.Log("measures for some seconds what this machine can send")
		if agent.CapacityHz, err = fleet.Capacity(ctx); err != nil {
			return err
		}
	}
	link, err := natslink.Connect(o)
	if err != nil {
		return err
	}
	defer link.Close()
	agent.Log(fmt.Sprintf("agent %s waits for orders at %s; it can send %s and may load %s",
		agent.Name, redact.Text(o.URL), units.Rate(agent.CapacityHz), fleet.AllowText(agent.Allow)))
	if err := agent.Serve(ctx, link); err != nil || ctx.Err() == nil {
		return err
	}
	return cli.Shown(fail.New(fail.Interrupted, "interrupted")) // how it ends; nothing needs to be said
}

// agent is the agent that the flags describe.
func (f *agentFlags) agent(keys fleet.Keys) (*fleet.Agent, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "agent"
	}
	out := &fleet.Agent{
		Version: cli.ThisBuild().Version, Name: cmp.Or(f.name, host), Labels: map[string]string{},
		Trust:          append([]string{keys.Signer.Key()}, f.trust...),
		MaxConnections: f.most, Dir: f.dir, Runs: f.runs,
	}
	if out.Labels, err = labelsOf(f.labels); err != nil {
		return nil, err
	}
	for _, text := range f.allow {
		r, err := fleet.ParseAllow(text)
		if err != nil {
			return nil, err
		}
		out.Allow = append(out.Allow, r)
	}
	if len(out.Allow) == 0 {
		out.Allow = fleet.Loopback
	}
	for _, rate := range []struct {
		text string
		to   *float64
	}{{f.rate, &out.MaxRateHz}, {f.capacity, &out.CapacityHz}} {
		if rate.text == "" {
			continue
		}
		if *rate.to, err = limit.ParseRate(rate.text); err != nil {
			return nil, err
		}
	}
	if out.Dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fail.New(fail.Environment, "find a directory for recordings: %w",
				err).WithHint("name one: --dir DIRECTORY")
		}
		out.Dir = filepath.Join(cache, "hone", "agent")
	}
	return out, nil
}

// labelsOf reads KEY=VALUE texts.
func labelsOf(texts []string) (map[string]string, error) {
	labels := map[string]string{}
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" || value == "" {
			return nil, fail.New(fail.BadInput, "%q is not a label", text).WithHint("write KEY=VALUE, such as zone=a")
		}
		labels[key] = value
	}
	return labels, nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/watch"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

// watchFlags are what hone watch is asked for.
type watchFlags struct {
	app.MeasureFlags
	config   watch.Config
	pages    string
	metrics  string
	noInject bool
	plain    bool
	json     bool
	colour   string
}

func (a *commands) watchCommand() *cobra.Command {
	f := &watchFlags{}
	cmd := &cobra.Command{
		Use:   "watch HOST:PORT|URL|PID|PACKAGE|- [flags] [-- ARGS...]",
		Short: "Watch a running service live: rates, latency, CPU, heap, collector, connections",
		Long: `watch attaches to a running service and shows what it can read, without load of its own: from
the pages of net/http/pprof and from /metrics at the address, and, for a process of this
machine, from /proc. HOST:PORT may speak any protocol: hone sends two bytes to find out whether
it is HTTP, and sends nothing more if it is not. A PACKAGE is built and started first, with the
probe. - reads the lines of GODEBUG=gctrace=1 from standard input. If a source cannot be read,
watch says why and goes on with the others.

Keys: p takes profiles and keeps them as a run, m sets a mark, s saves what was seen as a
run, space stops the picture and lets it go on, ? explains the rows, q quits. When the service ends, watch
ends with exit code 3, or waits for it with --follow. Without a terminal, or with --plain,
it writes a line for each reading.`,
		Example: `  hone watch localhost:6060
  hone watch http://localhost:8080 --metrics http://localhost:9090/metrics
  hone watch 4242
  hone watch ./cmd/server -- -addr 127.0.0.1:{port}
  hone watch localhost:6060 --json -d 1m
  GODEBUG=gctrace=1 ./server 2>&1 | hone watch -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			words, rest := app.SplitAtDash(cmd, args)
			if len(words) != 1 {
				return fail.New(fail.BadInput, "watch takes one address, process or package, got %d: %q", len(words),
					words).
					WithHint("hone watch localhost:6060, hone watch PID, hone watch ./cmd/server -- ARGS")
			}
			return a.watch(f, words[0], rest)
		},
	}
	f.Add(cmd, spec.ForPages)
	fl := cmd.Flags()
	fl.DurationVar(&f.config.Interval, "interval", time.Second, "time between readings")
	fl.DurationVarP(&f.config.Duration, "duration", "d", 0, "end after this time (default: when you quit)")
	fl.StringVar(&f.pages, "pprof", "", "`URL` of the pages of net/http/pprof, if they are elsewhere")
	fl.StringVar(&f.metrics, "metrics", "", "`URL` of the metrics, if they are elsewhere")
	fl.BoolVar(&f.config.Follow, "follow", false, "wait until the service comes back after it ended")
	fl.BoolVar(&f.noInject, "no-inject", false, "build a package without the probe, and read its GODEBUG=gctrace=1")
	fl.BoolVar(&f.plain, "plain", false, "a line for each reading, also on a terminal")
	fl.BoolVar(&f.json, "json", false, "a line of JSON for each reading")
	fl.StringVar(&f.colour, "color", "auto",
		"colours: auto (what the terminal has, none with NO_COLOR), always or never")
	return cmd
}

// screenGrace is how long the picture of a service that went stays before hone ends.
const screenGrace = 5 * time.Second

func (a *commands) watch(f *watchFlags, word string, args []string) (err error) {
	c := &f.config
	if c.Target, err = f.target(word, args); err != nil {
		return err
	}
	c.Ledger = f.Ledger
	if c.Target.Trace {
		c.Input = os.Stdin
	}
	if c.Target.Package {
		if c.Started, err = a.startWatched(f, word, args); err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, a.stopWatched(c.Started)) }()
	}
	a.watchProfiles(f)
	if f.plain || f.json || !a.CanShowScreen() {
		w, err := watch.New(*c, watch.NewPlain(a.Stdout, a.Stderr, f.json))
		if err != nil {
			return err
		}
		return w.Run(a.Ctx)
	}
	return a.watchScreen(f)
}

// watchScreen shows the panels, and says afterwards what was kept.
func (a *commands) watchScreen(f *watchFlags) error {
	f.config.Grace, f.config.Keys = screenGrace, watch.ScreenKeys()
	var w *watch.Watch
	screen := a.Screen(f.colour, func(action watch.Action) { w.Do(action) })
	w, err := watch.New(f.config, screen)
	if err != nil {
		return err
	}
	err = screen.While(a.Ctx, a.Hard, w.Run)
	for _, k := range w.Kept() {
		line := here(&f.MeasureFlags, spec.Line{"watch"})
		next := line.Stored("show", k.Run)
		if k.What == watch.Profiles {
			next = line.Stored("profile", "top", k.Run)
		}
		fmt.Fprintf(a.Stdout, "%s kept as run %s\nnext: %s\n", k.What, k.Run, next)
	}
	return err
}

// target is what the word names, with the addresses that flags add.
func (f *watchFlags) target(word string, args []string) (watch.Target, error) {
	t, err := watch.ParseTarget(word)
	if err != nil {
		return t, err
	}
	var faults []error
	if !slices.Contains([]string{"auto", "always", "never"}, f.colour) {
		faults = append(faults, fail.New(fail.BadInput, "--color is %q, want auto, always or never", f.colour))
	}
	name := func(address, usual string, page *string, guessed *bool) {
		if address == "" {
			return
		}
		*guessed = false
		u, err := watch.ParseURL(address)
		if err != nil {
			faults = append(faults, err)
		} else if *page = u.String(); u.Path == "" || u.Path == "/" {
			*page = u.JoinPath(usual).String()
		}
	}
	name(f.pages, "debug/pprof", &t.Pages, &t.GuessedPages)
	name(f.metrics, "metrics", &t.Metrics, &t.GuessedMetrics)
	if !t.Package && len(args) > 0 {
		faults = append(faults, fail.New(fail.BadInput, "arguments %q are for a package, and %s runs already", args,
			word))
	}
	if !t.Package && f.noInject {
		faults = append(faults, fail.New(fail.BadInput, "--no-inject is for a package, and %s runs already", word))
	}
	return t, errors.Join(faults...)
}

// stopWatched ends the program that hone had started.
func (a *commands) stopWatched(s *watch.Started) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(a.Hard, cancel)()
	warning, err := s.Stop(ctx)
	if warning != "" {
		fmt.Fprintln(a.Stderr, "hone:", printable.Indented(warning))
	}
	return err
}

package demo

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// commands show hone at work.
type commands struct{ *app.App }

// Command is hone demo.
func Command(of *app.App) *cobra.Command {
	a := &commands{of}
	f := &app.MeasureFlags{}
	var names []string
	list := ""
	for _, t := range tours {
		names = append(names, t.name)
		list += fmt.Sprintf("  %-8s %s\n", t.name, t.summary)
	}
	cmd := &cobra.Command{
		Use:   "demo [" + strings.Join(names, "|") + "]",
		Short: "Show hone at work on a built-in service: profile, change, verdict (1 minute)",
		Long: `demo shows hone at work on a service that comes with hone. The service has several stages, each
faster than the one before. For each step demo shows the profile of the slower stage, the change
in the source, and the measured difference. All figures are measured on this machine, except
those that are called published.

` + list + `
Without a name the service is framed. Its last stage keeps its answers in a buffer, and hone
says that this measurement is invalid. With a warm build cache the demo takes a little more than a minute.`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1)),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := tourNamed(args)
			if err != nil {
				return err
			}
			return a.demo(f, t)
		},
	}
	f.Add(cmd, spec.ForReading)
	return cmd
}

func tourNamed(args []string) (*tour, error) {
	if len(args) == 0 {
		return tours[0], nil
	}
	var names []string
	for _, t := range tours {
		if t.name == args[0] {
			return t, nil
		}
		names = append(names, t.name)
	}
	err := fail.New(fail.BadInput, "no demo is called %q; there are %s", args[0], strings.Join(names, ", "))
	if near := fail.Nearest(args[0], names); near != "" {
		return nil, err.WithHint("did you mean %s?", near)
	}
	return nil, err
}

// demoDocument is what a tour prints as JSON.
type demoDocument struct {
	Schema      string      `json:"schema"`
	Tour        string      `json:"tour"`
	Comparisons []any       `json:"comparisons"`
	Refused     *record.Run `json:"refused,omitempty"`
	// Elapsed is what the tour took, Build the part of it until its program was built, and
	// Planned what it may take with a warm build cache.
	Elapsed time.Duration `json:"elapsed_ns"`
	Build   time.Duration `json:"build_ns"`
	Planned time.Duration `json:"planned_ns"`
}

func (a *commands) demo(f *app.MeasureFlags, t *tour) error {
	clock := t.startClock(time.Now)
	t, err := a.hereOrUnpacked(t)
	if err != nil {
		return err
	}
	end, err := a.buildTour(f, t)
	if err != nil {
		return err
	}
	defer end()
	clock.builtNow()
	document := demoDocument{Schema: "hone.demo/2", Tour: t.name, Build: clock.built, Planned: t.planned()}
	if !f.JSON {
		if _, err := io.WriteString(a.Stdout, t.opening()); err != nil {
			return err
		}
	}
	var seen []string
	for i := 1; i < len(t.rungs); i++ {
		from, to := t.rungs[i-1], t.rungs[i]
		title := fmt.Sprintf("%d of %d: %s instead of %s%s", i, t.parts(), to.stage, from.stage, t.summaryOf(to.stage))
		fmt.Fprintln(a.Stderr, title)
		err := a.leg(f, t, from, to, clock.budget(i-1), func(lib *page.Library, l leg) error {
			document.Comparisons = append(document.Comparisons, l.document)
			if f.JSON {
				return nil
			}
			seen = append(seen, fmt.Sprintf("%s instead of %s: %s", to.stage, from.stage, changed(t, l.comparison)))
			if err := writeLeg(a.Stdout, t, title, from, to, l); err != nil {
				return err
			}
			a.ReportOf(f, lib, l.comparison.ID)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if t.refused.stage != "" {
		refused, err := a.refusal(f, t)
		if err != nil {
			return err
		}
		document.Refused = refused
		seen = append(seen, "an invalid measurement gives no result: hone says why, and ends with exit code 4")
	}
	document.Elapsed = clock.elapsed()
	if f.JSON {
		return a.PrintJSON(document)
	}
	_, err = io.WriteString(a.Stdout, closing(seen, clock))
	return err
}

// buildTour builds the program of a tour, once for all of its measurements; end removes
// it. Programs that end by themselves are left to their measurements.
func (a *commands) buildTour(f *app.MeasureFlags, t *tour) (end func(), err error) {
	if t.target == "" {
		return func() {}, nil
	}
	dir, err := app.WorkDir()
	if err != nil {
		return nil, err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	end = func() { _ = temp.Remove() } // the next hone removes what is left
	fmt.Fprintln(a.Stderr, "build", t.program)
	binary, err := build.Program(a.Ctx, build.Variant{Name: "demo", Source: t.program},
		build.Options{Source: source.Options{WorkDir: dir}, OutDir: temp.Path})
	if err != nil {
		end()
		if a.Ctx.Err() != nil {
			return nil, fail.New(fail.Interrupted, "interrupted while building; nothing was stored")
		}
		return nil, err
	}
	f.Built = []*build.Binary{binary}
	return end, nil
}

// refusal measures the stage whose measurement must be refused.
func (a *commands) refusal(f *app.MeasureFlags, t *tour) (*record.Run, error) {
	title := fmt.Sprintf("%d of %d: %s, whose measurement is invalid%s", t.parts(), t.parts(), t.refused.stage,
		t.summaryOf(t.refused.stage))
	fmt.Fprintln(a.Stderr, title)
	var refused *record.Run
	err := a.tourMeasure(f, t, 0, []string{t.refused.stage},
		func(out *record.Outcome, lib *page.Library, err error) error {
			if fail.ExitCode(err) != int(fail.Invalid) {
				return cmp.Or[error](err, fail.New(fail.Invalid,
					"%s was measured as if it answered: this is a bug of hone",
					t.refused.stage))
			}
			if refused = &out.Runs[0]; f.JSON {
				return nil
			}
			fmt.Fprintf(a.Stdout, "\n== %s\n", title)
			if err := report.Run(a.Stdout, *refused, app.Known(lib, refused.ID), model.Brief); err != nil {
				return err
			}
			text := fmt.Sprintf("no result: the measurement is INVALID: %s\n", refused.Reason)
			_, err = fmt.Fprintf(a.Stdout, "%sin a script: hone run ends with exit code 4 here\n%s",
				report.Narrow(text),
				published(t.refused))
			return err
		})
	return refused, err
}

// tourMeasure measures stages of a service under load: one, or, within a budget, the first
// against the others.
func (a *commands) tourMeasure(f *app.MeasureFlags, t *tour, budget time.Duration, stages []string,
	show func(*record.Outcome, *page.Library, error) error) error {
	var words []string
	for _, stage := range stages {
		words = append(words, t.command(stage))
	}
	f.Parts = spec.Parts{
		Program: spec.Program{Args: t.args, Grace: 5 * time.Second, ReadyTimeout: 15 * time.Second},
		Load: spec.Load{
			Target: t.target, RateHz: t.load.rateHz, Duration: 4 * time.Second, Slice: t.load.slice(),
			WarmUp: 200 * time.Millisecond,
		},
		Test:    spec.Test{Budget: budget, Alpha: 0.05, Delta: 0.01},
		Observe: spec.Observe{ProfileTime: 1500 * time.Millisecond},
	}
	f.Plan.Connections, f.Plan.Depth, f.Plan.Timeout = t.load.connections, t.load.depth, 2*time.Second
	f.Protocol.TLS.Insecure = strings.HasPrefix(t.target, "https:") // its certificate is its own
	var err error
	if f.Variants, err = f.ParseVariants(words); err != nil {
		return err
	}
	f.Seed, f.Stored = app.NewSeed(), true // all of it is said
	return a.Measure(f, show)
}

// command is the word of a command line that names one stage.
func (t *tour) command(stage string) string {
	return shellwords.Join([]string{t.program, "-stage", stage})
}

// slice is the length of a slice: a closed loop fills a short one, an open loop of a low
// rate needs one in which some requests are due.
func (l tourLoad) slice() time.Duration {
	const inSlice = 25
	if l.rateHz == 0 {
		return 25 * time.Millisecond
	}
	return time.Duration(inSlice / l.rateHz * float64(time.Second))
}

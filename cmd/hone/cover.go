package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/production"
)

func (a *commands) coverCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "cover PROD [RUN]",
		Short: "Show how much of production's CPU time a load covers",
		Long: `cover compares a CPU profile of production with that of a load: which share of the CPU time is in
the same functions. PROD and RUN are runs of the ledger, or files in pprof's format, also of
Parca, Pyroscope, OpenTelemetry and fgprof; without RUN it is the newest run. It lists what production spends and the load does not,
and what the load spends and production does not. --tag-focus chooses samples of production by their labels.`,
		Example: `  hone cover production.pb.gz
  hone cover production.pb.gz RUN --tag-focus region=eu`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error { return a.cover(f, args[0], app.OrNewest(args, 2)[1]) },
	}
	app.AddOptions(cmd, spec.ForCover, f)
	return cmd
}

func (a *commands) cover(f *spec.Spec, from, run string) (err error) {
	var o production.Options
	if o.TagFocus, o.TagIgnore, err = app.TagFilters(&f.Profile); err != nil {
		return err
	}
	var sides [2][]prof.Capture
	for i, name := range []string{from, run} {
		p, err := a.OpenProfiles(f, name, "cpu")
		if err != nil {
			return err
		}
		if code := p.Code(); code.Module != "" {
			o.Code = code
		}
		if sides[i], err = p.All("cpu"); err != nil {
			return err
		}
	}
	c, err := production.Cover(sides[0], sides[1], o)
	if few := new(production.TooFewSamples); errors.As(err, &few) {
		return fail.New(fail.BadInput, "%w", err).WithHint("%s", longerProfile(few))
	}
	if err != nil {
		return fail.New(fail.BadInput, "%w",
			err).WithHint("hone profile top FILE shows what a profile has; go tool pprof -tags FILE its labels")
	}
	return a.Print(f.JSON, c, func(w io.Writer) error { return report.Cover(w, c, f.Shown) })
}

// longerProfile says how to get enough samples.
func longerProfile(e *production.TooFewSamples) string {
	took := e.Enough()
	switch {
	case took == 0:
		return "take its profile for a longer time"
	case e.Side == "production":
		return fmt.Sprintf("take its profile for %v: hone pull ADDRESS --seconds %.0f", took, took.Seconds())
	}
	return fmt.Sprintf("take its profile for %v: hone run --profile-time %v", took, took)
}

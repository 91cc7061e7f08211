package profiles

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

func (a *commands) profileDiffCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "diff [A] [B]",
		Short: "What changed from one run to another, in your code and by function, beyond the noise",
		Long: `diff divides each profile by the requests served while it was taken (or by time, or by nothing). Profiles
of other tools are compared by a sample type that both have.
It lists what changed by more than the noise of repeated captures: places in your code with what
they call in libraries, functions with what they call, and functions by themselves. It says how
much of the whole change these explain. Changes within the noise are only counted.

Without names it compares the two newest runs, which after hone compare are those of A and B. With one name it compares
that run with the newest.`,
		Example: "  hone profile diff\n  hone profile diff a1b2 c3d4 --html diff.html",
		Args:    cobra.MaximumNArgs(2),
		RunE:    func(_ *cobra.Command, args []string) error { return a.profileDiff(f, app.OrNewest(args, 2)) },
	}
	app.AddOptions(cmd, spec.ForDiff, f)
	return cmd
}

func (a *commands) profileDiff(f *spec.Spec, args []string) error {
	var err error
	options := diff.Options{SampleType: f.Profile.Sample, Alpha: f.Alpha}
	var some prof.Selection
	if some.TagFocus, some.TagIgnore, err = app.TagFilters(&f.Profile); err != nil {
		return err
	}
	var sides [2][]prof.Capture
	var names [2]string
	var shown [2]shownProfile
	for i, name := range args {
		p, err := a.OpenProfiles(f, name, f.Profile.Kind)
		if err != nil {
			return err
		}
		names[i] = p.Name
		if code := p.Code(); code.Module != "" {
			options.Code = code
		}
		if sides[i], err = p.All(f.Profile.Kind); err != nil {
			return err
		}
		if sides[i], err = some.Captures(sides[i]); err != nil {
			return fail.New(fail.BadInput, "%s: %w", p.Name, err)
		}
		shown[i].Profiled, shown[i].cohort = p, f.Profile.Cohort
		shown[i].from, _ = p.Sources(a.App)
	}
	usual := prof.UsualBasis(sides[0], sides[1], options.SampleType)
	if options.Basis, err = prof.ParseBasis(cmp.Or(f.Profile.Per, string(usual))); err != nil {
		return fail.New(fail.BadInput, "--per: %w", err)
	}
	d, err := diff.New(sides[0], sides[1], options)
	if err != nil {
		fault := fail.New(fail.BadInput, "%w", err)
		if options.Basis != usual {
			return fault.WithHint("--per %s", usual)
		}
		return fault.WithHint("--sample chooses what is compared; hone profile top FILE shows what a profile has")
	}
	if f.JSON {
		return a.PrintJSON(d)
	}
	if f.Profile.SVG != "" || f.HTML != "" {
		title := names[0] + " and " + names[1]
		return a.draw(f.Profile.SVG, f.HTML, func(w io.Writer) error { return d.WriteSVG(w, title) },
			func(w io.Writer) error {
				for i := range shown {
					if shown[i].capture, err = prof.MergeCaptures(sides[i]); err != nil {
						return err
					}
				}
				return writeFlame(w, title, shown[:]...)
			})
	}
	return d.WriteText(a.Stdout, f.Shown)
}

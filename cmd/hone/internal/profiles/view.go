package profiles

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/prof"
)

// viewFlags are what a view is asked for.
type viewFlags struct {
	spec.Spec
	look prof.ViewOptions
}

// viewCommand is hone profile NAME for a view.
func (a *commands) viewCommand(v *prof.View) *cobra.Command {
	f := &viewFlags{}
	use, n, of := v.Name+" [RUN|FILE]", 1, spec.ForTop
	if v.OfFunctions {
		use, n, of = v.Name+" FUNCTION [RUN|FILE]", 2, spec.ForList
	}
	cmd := &cobra.Command{
		Use: use, Short: strings.ToUpper(v.Summary[:1]) + v.Summary[1:],
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == n+1 {
				words := slices.Concat([]string{"hone", "profile", v.Name}, args[:n-1], args[n:],
					[]string{"--base", args[n-1]})
				return fail.New(fail.BadInput, "%s shows one run or file, and there are two",
					cmd.CommandPath()).WithHint("what the second has more than the first: %s", spec.Join(words))
			}
			return cobra.RangeArgs(n-1, n)(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.showView(v, f, app.OrNewest(args, n)) },
	}
	if v.Name == "flame" {
		of = spec.ForFlame
	}
	app.AddOptions(cmd, of, &f.Spec)
	return cmd
}

func (a *commands) showView(v *prof.View, f *viewFlags, args []string) error {
	name := args[len(args)-1]
	if err := f.resolve(v, args); err != nil {
		return err
	}
	p, err := a.OpenProfiles(&f.Spec, name, f.Profile.Kind)
	if err != nil {
		return err
	}
	c, err := p.One(f.Profile.Kind)
	if err != nil {
		return err
	}
	if f.Profile.Base != "" {
		if f.Profile.SVG != "" || f.HTML != "" {
			return fail.New(fail.BadInput,
				"a flame graph has no room for costs under 0: --base goes with --svg and --html of hone profile diff only").
				WithHint("%s", spec.Join([]string{"hone", "profile", "diff", f.Profile.Base, name, "--html",
					cmp.Or(f.HTML, "diff.html")}))
		}
		if c, err = a.lessBase(&f.Spec, f.Profile.Base, c); err != nil {
			return err
		}
	}
	if f.look.SampleType == "" && p.Record != nil { // a file has its own choice
		if k, err := prof.KindNamed(c.Kind); err == nil {
			f.look.SampleType = k.Default
		}
	}
	var notice string
	f.look.Sources, notice = p.Sources(a.App)
	if v.Name == "list" && notice != "" {
		fmt.Fprintln(a.Stderr, "note: "+printable.Line(notice))
	}
	d, err := v.Show(c.Profile, f.look)
	if err != nil {
		return fail.New(fail.BadInput, "%s: %w", p.Name, err)
	}
	if f.JSON {
		return a.PrintJSON(d)
	}
	if flame, ok := d.(*prof.Flame); ok && (f.Profile.SVG != "" || f.HTML != "") {
		title := p.Title(f.what(c.Kind, flame.SampleType))
		return a.draw(f.Profile.SVG, f.HTML, func(w io.Writer) error { return flame.WriteSVG(w, title) },
			func(w io.Writer) error {
				if c.Profile, err = f.look.Select(c.Profile); err != nil {
					return err
				}
				one := shownProfile{Profiled: p, capture: c, from: f.look.Sources, cohort: f.Profile.Cohort}
				if flame.Shown != flame.Total {
					one.note = fmt.Sprintf("filtered: %.3g %% of the profile's %s is shown",
						100*float64(flame.Shown)/float64(flame.Total), flame.SampleType)
				}
				return writeFlame(w, title, one)
			})
	}
	return d.WriteText(a.Stdout)
}

// what says what a picture shows.
func (f *viewFlags) what(kind, sampleType string) string {
	if kind != prof.WaitKind {
		return sampleType
	}
	return sampleType + " time of the " + cmp.Or(f.Profile.Cohort, prof.TypicalCohort) + " request"
}

// resolve turns texts into expressions.
func (f *viewFlags) resolve(v *prof.View, args []string) (err error) {
	compile := func(name, text string) *regexp.Regexp {
		if text == "" {
			return nil
		}
		e, bad := regexp.Compile(text)
		if bad != nil {
			err = fail.New(fail.BadInput, "%s %q: %w", name, text,
				bad).WithHint("expressions are Go's: https://pkg.go.dev/regexp/syntax; a dot in a name is \\.")
		}
		return e
	}
	l, p := &f.look, &f.Profile
	if p.MaxOutput < 1 || p.MaxOutput > 10_000 {
		return fail.New(fail.BadInput, "--max-output is %d, want 1 to 10000", p.MaxOutput)
	}
	l.SampleType, l.Unit, l.NoInlines, l.ByCum, l.Nodes, l.NodeShare = p.Sample, p.Unit, p.NoInlines, p.ByCum, f.Shown,
		p.NodeShare
	l.MaxBytes = p.MaxOutput << 20
	if v.OfFunctions {
		l.Function = compile("function", args[0])
	}
	l.Focus, l.Ignore = compile("--focus", p.Focus), compile("--ignore", p.Ignore)
	l.Hide, l.Show, l.ShowFrom = compile("--hide", p.Hide), compile("--show", p.Show),
		compile("--show-from", p.ShowFrom)
	if err != nil {
		return err
	}
	if l.Granularity, err = prof.ParseGranularity(p.Granularity); err != nil {
		return fail.New(fail.BadInput, "--granularity: %w", err)
	}
	l.TagFocus, l.TagIgnore, err = app.TagFilters(p)
	return err
}

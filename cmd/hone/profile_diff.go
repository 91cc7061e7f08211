package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// diffFlags are what hone profile diff is asked for.
type diffFlags struct {
	profileFlags
	options   prof.DiffOptions
	basis     string
	most      int
	svg, html string
}

func (a *app) profileDiffCommand() *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "What changed from one run to another, in your code and by function, beyond the noise",
		Long: `diff divides each profile by the requests served while it was taken (or by time, or by nothing). Profiles
of other tools are compared by a sample type that both have.
It lists what changed by more than the noise of repeated captures: places in your code with what
they call in libraries, functions with what they call, and functions by themselves. It says how
much of the whole change these explain. Changes within the noise are only counted.`,
		Example: "  hone profile diff a1b2 c3d4 --html diff.html",
		Args:    cobra.ExactArgs(2),
		RunE:    func(_ *cobra.Command, args []string) error { return a.profileDiff(f, args) },
	}
	f.profileFlags.add(cmd, "cpu")
	fl := cmd.Flags()
	fl.StringVar(&f.options.SampleType, "sample", "", "what to compare, such as alloc_space (default: that of the kind)")
	fl.StringVar(&f.basis, "per", "", "what costs are divided by: request, second, raw (nothing)\n(default: request if it is known how many there were, else second; raw for what is at one moment, such as the live heap)")
	fl.Float64Var(&f.options.Alpha, "alpha", 0.05, "chance that anything is called changed when nothing changed")
	fl.IntVarP(&f.most, "number", "n", 40, "show at most this many changes; 0 shows all")
	fl.StringVar(&f.svg, "svg", "", "draw both flame graphs as a picture into `FILE`")
	fl.StringVar(&f.html, "html", "", "draw them as a page with zoom and search, into `FILE`")
	return cmd
}

func (a *app) profileDiff(f *diffFlags, args []string) error {
	var err error
	var sides [2][]prof.Capture
	var names [2]string
	var shown [2]shownProfile
	for i, name := range args {
		p, err := a.openProfiles(&f.profileFlags, name, f.kind)
		if err != nil {
			return err
		}
		names[i] = p.name
		if code := p.code(); code.Module != "" {
			f.options.Code = code
		}
		if sides[i], err = p.all(f.kind); err != nil {
			return err
		}
		shown[i].profiled, shown[i].cohort = p, f.cohort
		shown[i].from, _ = p.sources(a)
	}
	usual := prof.UsualBasis(sides[0], sides[1], f.options.SampleType)
	if f.options.Basis, err = prof.ParseBasis(cmp.Or(f.basis, string(usual))); err != nil {
		return fail.New(fail.BadInput, "--per: %w", err)
	}
	d, err := prof.NewDiff(sides[0], sides[1], f.options)
	if err != nil {
		fault := fail.New(fail.BadInput, "%w", err)
		if f.options.Basis != usual {
			return fault.WithHint("--per %s", usual)
		}
		return fault.WithHint("--sample chooses what is compared; hone profile top FILE shows what a profile has")
	}
	if f.json {
		return a.printJSON(d)
	}
	if f.svg != "" || f.html != "" {
		title := names[0] + " and " + names[1]
		return a.draw(f.svg, f.html, func(w io.Writer) error { return d.WriteSVG(w, title) }, func(w io.Writer) error {
			for i := range shown {
				if shown[i].capture, err = prof.MergeCaptures(sides[i]); err != nil {
					return err
				}
			}
			return writeFlame(w, title, shown[:]...)
		})
	}
	return d.WriteText(a.stdout, f.most)
}

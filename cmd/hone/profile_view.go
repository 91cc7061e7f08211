package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/prof"
)

// viewFlags are what a view is asked for.
type viewFlags struct {
	profileFlags
	look                prof.ViewOptions
	expressions         map[string]*string
	tagFocus, tagIgnore string
	granularity         string
	svg, html           string
	base                string // a run or a file; empty for none
	maxOutput           int    // MB
}

// viewCommand is hone profile NAME for a view.
func (a *app) viewCommand(v *prof.View) *cobra.Command {
	f := &viewFlags{expressions: map[string]*string{}}
	use, n := v.Name+" RUN|FILE", 1
	if v.OfFunctions {
		use, n = v.Name+" FUNCTION RUN|FILE", 2
	}
	cmd := &cobra.Command{
		Use: use, Short: strings.ToUpper(v.Summary[:1]) + v.Summary[1:],
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == n+1 {
				words := slices.Concat([]string{"hone", "profile", v.Name}, args[:n-1], args[n:], []string{"--base", args[n-1]})
				return fail.New(fail.BadInput, "%s shows one run or file, and there are two", cmd.CommandPath()).WithHint("what the second has more than the first: %s", spec.Join(words))
			}
			return cobra.ExactArgs(n)(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.showView(v, f, args) },
	}
	f.profileFlags.add(cmd, "cpu")
	fl := cmd.Flags()
	for name, help := range map[string]string{
		"focus":     "only samples with a frame that matches `EXPRESSION`",
		"ignore":    "no samples with a frame that matches `EXPRESSION`",
		"hide":      "leave out frames that match `EXPRESSION`",
		"show":      "only frames that match `EXPRESSION`",
		"show-from": "leave out what is above the highest frame that matches `EXPRESSION`",
	} {
		f.expressions[name] = fl.String(name, "", help)
	}
	fl.StringVar(&f.base, "base", "", "show what there is more than in this `RUN` or file, as go tool pprof -base does")
	fl.StringVar(&f.tagFocus, "tag-focus", "", "only samples with a label that matches: EXPRESSION, KEY=EXPRESSION, KEY=32kb:64kb")
	fl.StringVar(&f.tagIgnore, "tag-ignore", "", "no samples with a label that matches")
	fl.StringVar(&f.look.SampleType, "sample", "", "what to count, such as alloc_space or inuse_objects (default: the profile's own)")
	fl.StringVar(&f.granularity, "granularity", "functions", "what counts as one place: functions, filefunctions, files, lines, addresses")
	fl.BoolVar(&f.look.NoInlines, "no-inlines", false, "count inlined calls as part of their callers")
	fl.BoolVar(&f.look.ByCum, "cum", false, "order by cum, what a place costs with all that it calls")
	fl.IntVarP(&f.look.Nodes, "nodes", "n", 0, "show at most this many places (default: all that cost enough)")
	fractionVar(fl, &f.look.NodeShare, "node-share", 0.005, "leave out places under this share of the total")
	fl.IntVar(&f.maxOutput, "max-output", 32, "limit of the text, in `MB`, roughly; the least important part is left out")
	fl.StringVar(&f.look.Unit, "unit", "", "write all values in this unit: s, ms, us, ns, GB, MB, kB, B")
	if v.Name == "flame" {
		fl.StringVar(&f.svg, "svg", "", "draw it as a picture into `FILE`")
		fl.StringVar(&f.html, "html", "", "draw it as a page with zoom and search, into `FILE`")
	}
	return cmd
}

func (a *app) showView(v *prof.View, f *viewFlags, args []string) error {
	name := args[len(args)-1]
	if err := f.resolve(v, args); err != nil {
		return err
	}
	p, err := a.openProfiles(&f.profileFlags, name, f.kind)
	if err != nil {
		return err
	}
	c, err := p.one(f.kind)
	if err != nil {
		return err
	}
	if f.base != "" {
		if f.svg != "" || f.html != "" {
			return fail.New(fail.BadInput, "a flame graph has no room for costs under 0: --base goes with --svg and --html of hone profile diff only").
				WithHint("%s", spec.Join([]string{"hone", "profile", "diff", f.base, name, "--html", cmp.Or(f.html, "diff.html")}))
		}
		if c, err = a.lessBase(&f.profileFlags, f.base, c); err != nil {
			return err
		}
	}
	if f.look.SampleType == "" && p.record != nil { // a file has its own choice
		if k, err := prof.KindNamed(c.Kind); err == nil {
			f.look.SampleType = k.Default
		}
	}
	var notice string
	f.look.Sources, notice = p.sources(a)
	if v.Name == "list" && notice != "" {
		fmt.Fprintln(a.stderr, "note: "+printable.Line(notice))
	}
	d, err := v.Show(c.Profile, f.look)
	if err != nil {
		return fail.New(fail.BadInput, "%s: %w", p.name, err)
	}
	if f.json {
		return a.printJSON(d)
	}
	if flame, ok := d.(*prof.Flame); ok && (f.svg != "" || f.html != "") {
		title := p.title(f.what(c.Kind, flame.SampleType))
		return a.draw(f.svg, f.html, func(w io.Writer) error { return flame.WriteSVG(w, title) }, func(w io.Writer) error {
			if c.Profile, err = f.look.Select(c.Profile); err != nil {
				return err
			}
			one := shownProfile{profiled: p, capture: c, from: f.look.Sources, cohort: f.cohort}
			if flame.Shown != flame.Total {
				one.note = fmt.Sprintf("filtered: %.3g %% of the profile's %s is shown", 100*float64(flame.Shown)/float64(flame.Total), flame.SampleType)
			}
			return writeFlame(w, title, one)
		})
	}
	return d.WriteText(a.stdout)
}

// what says what a picture shows.
func (f *viewFlags) what(kind, sampleType string) string {
	if kind != prof.WaitKind {
		return sampleType
	}
	return sampleType + " time of the " + cmp.Or(f.cohort, prof.TypicalCohort) + " request"
}

// resolve turns texts into expressions.
func (f *viewFlags) resolve(v *prof.View, args []string) (err error) {
	compile := func(name, text string) *regexp.Regexp {
		if text == "" {
			return nil
		}
		e, bad := regexp.Compile(text)
		if bad != nil {
			err = fail.New(fail.BadInput, "%s %q: %w", name, text, bad).WithHint("expressions are Go's: https://pkg.go.dev/regexp/syntax; a dot in a name is \\.")
		}
		return e
	}
	l := &f.look
	if f.maxOutput < 1 || f.maxOutput > 10_000 {
		return fail.New(fail.BadInput, "--max-output is %d, want 1 to 10000", f.maxOutput)
	}
	l.MaxBytes = f.maxOutput << 20
	if v.OfFunctions {
		l.Function = compile("function", args[0])
	}
	l.Focus, l.Ignore = compile("--focus", *f.expressions["focus"]), compile("--ignore", *f.expressions["ignore"])
	l.Hide, l.Show = compile("--hide", *f.expressions["hide"]), compile("--show", *f.expressions["show"])
	l.ShowFrom = compile("--show-from", *f.expressions["show-from"])
	if err != nil {
		return err
	}
	if l.Granularity, err = prof.ParseGranularity(f.granularity); err != nil {
		return fail.New(fail.BadInput, "--granularity: %w", err)
	}
	if l.TagFocus, err = prof.ParseTagFilter(f.tagFocus); err != nil {
		return fail.New(fail.BadInput, "--tag-focus: %w", err)
	}
	if l.TagIgnore, err = prof.ParseTagFilter(f.tagIgnore); err != nil {
		return fail.New(fail.BadInput, "--tag-ignore: %w", err)
	}
	return nil
}

package main

import (
	"cmp"
	"fmt"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/prof"
)

// lessBase is what the capture of a run or a file costs more than that of the base.
func (a *app) lessBase(f *viewFlags, name string, c prof.Capture) (prof.Capture, error) {
	if f.svg != "" || f.html != "" {
		return c, fail.New(fail.BadInput, "a flame graph has no room for costs under 0: --base goes with --svg and --html of hone profile diff only").
			WithHint("%s", spec.Join([]string{"hone", "profile", "diff", f.base, name, "--html", cmp.Or(f.html, "diff.html")}))
	}
	kind := cmp.Or(c.Kind, f.kind)
	p, err := a.openProfiles(&f.profileFlags, f.base, kind)
	if err != nil {
		return c, err
	}
	base, err := p.one(kind)
	if err != nil {
		return c, err
	}
	diff, factor, err := prof.Subtract(c, base)
	if err != nil {
		return c, fail.New(fail.BadInput, "--base: %w", err).WithHint("take both with the same tool, of the same kind")
	}
	if factor != 0 {
		fmt.Fprintf(a.stderr, "note: what accumulates in the base is multiplied by %s, for the same number of requests\n", units.Digits(factor))
	}
	c.Profile = diff
	return c, nil
}

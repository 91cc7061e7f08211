package profiles

import (
	"cmp"
	"fmt"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// lessBase is what a capture costs more than that of the base, which is a run or a file.
func (a *commands) lessBase(f *spec.Spec, name string, c prof.Capture) (prof.Capture, error) {
	kind := cmp.Or(c.Kind, f.Profile.Kind)
	p, err := a.OpenProfiles(f, name, kind)
	if err != nil {
		return c, err
	}
	base, err := p.One(kind)
	if err != nil {
		return c, err
	}
	diff, factor, err := prof.Subtract(c, base)
	if err != nil {
		return c, fail.New(fail.BadInput, "--base: %w", err).WithHint("take both with the same tool, of the same kind")
	}
	if factor != 0 {
		fmt.Fprintf(a.Stderr,
			"note: what accumulates in the base is multiplied by %s, for the same number of requests\n",
			units.Digits(factor))
	}
	c.Profile = diff
	return c, nil
}

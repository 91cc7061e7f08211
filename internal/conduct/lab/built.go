package lab

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/text/fail"
)

// built is a variant as it was built. It does not change.
type built struct {
	builds []*subject.Binary // one for each layout, which take turns
	binary *subject.Binary   // the first of them
	// digest is the SHA-256 of the file of a program that hone did not build, in hexadecimal.
	digest string
}

// builder builds a variant, or takes the program that it is; the digest is as in built.
type builder func(ctx context.Context, v subject.Variant) (b *subject.Binary, digest string, err error)

// build builds every variant, as often as there are layouts. Variants that differ in
// their arguments only share one executable, so that no difference of builds comes into
// the comparison.
func (m *measurement) build(ctx context.Context, layouts []int64, one builder) ([]built, error) {
	var all []built
	for _, v := range m.Variants {
		var b built
		for i, layout := range layouts {
			v.Layout = layout
			binary, digest := m.alike(v, append(all, b))
			if binary == nil {
				m.Progress.Phase(buildPhase(v, i, len(layouts)), 0)
				var err error
				if binary, digest, err = one(ctx, v); err != nil {
					if ctx.Err() != nil {
						err = fail.New(fail.Interrupted, "interrupted while building; nothing was stored")
					}
					return nil, err
				}
			}
			binary.Variant = v
			b.builds, b.digest = append(b.builds, binary), digest
		}
		b.binary = b.builds[0]
		all = append(all, b)
	}
	return all, nil
}

// buildPackage is the builder of packages.
func (m *measurement) buildPackage(ctx context.Context, v subject.Variant) (*subject.Binary, string, error) {
	b, err := subject.Build(ctx, v, subject.BuildOptions{Source: subject.SourceOptions{WorkDir: m.WorkDir}, OutDir: m.tmp})
	return b, "", err
}

func buildPhase(v subject.Variant, i, n int) string {
	text := fmt.Sprintf("build %s: %s", v.Name, v.Source)
	if n > 1 {
		text += fmt.Sprintf(" (layout %d of %d)", i+1, n)
	}
	return text
}

// alike returns a copy of a binary that was built as v would be, or nil.
func (m *measurement) alike(v subject.Variant, all []built) (b *subject.Binary, digest string) {
	for _, one := range append([]built{{builds: m.Built}}, all...) {
		i := slices.IndexFunc(one.builds, func(b *subject.Binary) bool { return v.BuiltLike(b.Variant) })
		if i >= 0 {
			b := *one.builds[i]
			return &b, one.digest
		}
	}
	return nil, ""
}

// refuseGates refuses gates on what only the probe tells, where a variant has none.
func refuseGates(gates []compare.Gate, all []built) error {
	for _, g := range gates {
		for _, b := range all {
			if (probed(g.Measure) || g.Function != "") && !b.binary.Probed {
				return fail.New(fail.BadInput, "gate %s: %s of %s is not known, since it is built without the probe (--set no-inject)",
					g.Text, g.Measure.Name, b.binary.Variant.Name).WithHint("leave out the gate, or --set no-inject")
			}
		}
	}
	return nil
}

// probed says whether a measure comes from the probe.
func probed(m compare.Measure) bool { return m == compare.Allocs || m == compare.Bytes }

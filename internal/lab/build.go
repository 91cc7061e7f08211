package lab

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/subject"
)

// build builds every variant, as often as there are layouts. Variants that differ in
// their arguments only share one executable, so that no difference of builds comes into
// the comparison.
func (m *measurement) build(ctx context.Context) error {
	layouts := []int64{0}
	if m.request.Layouts > 0 {
		layouts = subject.LayoutSeeds(m.request.Seed, m.request.Layouts)
	}
	for _, v := range m.request.Variants {
		t := &trial{request: &m.request}
		for i, layout := range layouts {
			v.Layout = layout
			b := m.alike(v)
			if b == nil {
				m.Progress.Phase(buildPhase(v, i, len(layouts)), 0)
				var err error
				b, err = subject.Build(ctx, v, subject.BuildOptions{Source: subject.SourceOptions{WorkDir: m.WorkDir}, OutDir: m.tmp})
				if err != nil {
					return err
				}
			}
			b.Variant = v
			t.builds = append(t.builds, b)
			for _, note := range b.Notes {
				t.warn("%s", note)
			}
		}
		t.binary = t.builds[0]
		var err error
		if t.home, err = t.binary.Place(m.WorkDir, m.request.Dir, m.tmp); err != nil {
			return err
		}
		m.trials = append(m.trials, t)
	}
	return m.refuseGates()
}

// refuseGates refuses gates on what only the probe tells, where a variant has none.
func (m *measurement) refuseGates() error {
	for _, g := range m.request.Gates {
		for _, t := range m.trials {
			if probed(g.Measure) && !t.binary.Probed {
				return fail.New(fail.BadInput, "gate %s: %s of %s is not known, since it is built without the probe (--no-inject)",
					g.Text, g.Measure.Name, t.binary.Variant.Name).WithHint("leave out the gate, or --no-inject")
			}
		}
	}
	return nil
}

// probed says whether a measure comes from the probe.
func probed(m compare.Measure) bool { return m == compare.Allocs || m == compare.Bytes }

func buildPhase(v subject.Variant, i, n int) string {
	text := fmt.Sprintf("build %s: %s", v.Name, v.Source)
	if n > 1 {
		text += fmt.Sprintf(" (layout %d of %d)", i+1, n)
	}
	return text
}

// alike returns a copy of a binary that was built as v would be, or nil.
func (m *measurement) alike(v subject.Variant) *subject.Binary {
	all := slices.Clone(m.Built)
	for _, t := range m.trials {
		all = append(all, t.builds...)
	}
	for _, built := range all {
		if v.BuiltLike(built.Variant) {
			b := *built
			return &b
		}
	}
	return nil
}

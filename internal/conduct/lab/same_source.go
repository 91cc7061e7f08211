package lab

import (
	"context"
	"slices"

	"github.com/gohone/hone/internal/program/build"
)

// FindSameSource has the measurement end after one start of each variant if all are one program at several commits,
// started alike.
func (m *Measurement) FindSameSource(ctx context.Context, all []Built) {
	a := all[0].Binary
	if all[0].Digest != "" {
		return
	}
	for _, one := range all[1:] {
		b := one.Binary
		if one.Digest != "" || !StartedAlike(a.Variant, b.Variant) {
			return
		}
		if same, err := build.SameSource(ctx, m.WorkDir, a, b); err != nil ||
			!same { // what cannot be found out is measured
			return
		}
	}
	if m.SameSource = len(all) > 1; m.SameSource {
		m.Question.Most = 1
	}
}

// StartedAlike says whether two variants are started with the same arguments and environment.
func StartedAlike(v, w build.Variant) bool {
	return slices.Equal(v.Args, w.Args) && slices.Equal(v.RunEnv, w.RunEnv) && slices.Equal(v.AfterStart, w.AfterStart)
}

package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
)

// kindTogether is the kind of several settings at once.
const kindTogether = "together"

const (
	// verifyShare is the part of the budget of the first round.
	verifyShare = 0.45
	// hopefulGain is the gain that the interval of the first round has to leave possible for a
	// setting to be measured again.
	hopefulGain = 0.02
)

// checkKinds refuses unknown kinds of settings.
func checkKinds(kinds []string) error {
	for _, kind := range kinds {
		if !slices.Contains(spec.AllSettings, kind) {
			return fail.New(fail.BadInput, "%q is not a kind of setting", kind).WithHint("they are %s",
				strings.Join(spec.AllSettings, ", "))
		}
	}
	return nil
}

// Verify tries settings on the program of a run, of these kinds of spec.AllSettings; none: of spec.Settings. cpu is the
// run's CPU profile; nil if it has none. dir is a temporary directory of the caller's.
//
// Up to three settings are measured in one round. More take two, which have half of the level each. Settings whose
// first interval leaves no gain worth the name are not measured again. The second round has all hopeful settings of
// different kinds together as well.
func (t Trial) Verify(ctx context.Context, run record.Run, cpu *profile.Profile, kinds []string,
	dir string) (*tuning.Verification, error) {
	if len(kinds) == 0 {
		kinds = spec.Settings
	}
	if err := checkKinds(kinds); err != nil {
		return nil, err
	}
	out := &tuning.Verification{Schema: tuning.VerificationSchema, Run: run.ID}
	settings, err := t.candidates(ctx, run, cpu, kinds, dir, out)
	if err != nil {
		return nil, err
	}
	if t, settings, err = t.buildAll(ctx, settings, dir, out); err != nil {
		return nil, err
	}
	if len(settings) == 0 {
		return out, nil
	}
	if t.Task.Slice == 0 {
		t.Task.Slice = gcSlice
	}
	asked := t.Task.BlockLoad
	load := func(settings []tuning.Setting, budget time.Duration) {
		t.Task.BlockLoad = loadFor(tuning.AsIs{Readings: readings(run)}, settings, budget, asked)
	}
	if len(settings) <= fewSettings {
		out.Single = true
		load(settings, t.Task.Budget)
		only, err := t.round(ctx, settings, t.Task.Budget, t.Level())
		if err != nil {
			return nil, err
		}
		addRound(out, only)
		return out, nil
	}
	began, budget := time.Now(), time.Duration(verifyShare*float64(t.Task.Budget))
	load(settings, budget)
	first, err := t.round(ctx, settings, budget, t.Level()/2)
	if err != nil {
		return nil, err
	}
	addRound(out, first)
	again := hopeful(first)
	if len(again) == 0 {
		return out, nil
	}
	if t, again, err = t.buildAll(ctx, again, dir, out); err != nil {
		return nil, err
	}
	rest := max(t.Task.Budget-time.Since(began), t.Task.Budget/3)
	load(again, rest)
	second, err := t.round(ctx, again, rest, t.Level()/2)
	if err != nil {
		return nil, err
	}
	addRound(out, second)
	return out, nil
}

// buildAll builds the program as it is, and every setting that takes a build of its own, as a
// trial: what the toolchain refuses is left out, and said. The rounds then take these builds.
func (t Trial) buildAll(ctx context.Context, settings []tuning.Setting, dir string, out *tuning.Verification) (Trial,
	[]tuning.Setting, error) {
	t, err := t.prebuild(ctx, dir)
	if err != nil {
		return t, nil, err
	}
	var able []tuning.Setting
	for _, s := range settings {
		if len(s.BuildEnv)+len(s.Flags)+len(s.Tags) == 0 {
			able = append(able, s)
			continue
		}
		// The name is that of a directory; the rounds give letters.
		v, err := s.VariantOf(t.program(), fmt.Sprintf("trial%d", len(t.Lab.Built)))
		if err != nil {
			return t, nil, err
		}
		if t.isBuilt(v) {
			able = append(able, s)
			continue
		}
		t.Lab.Progress.Phase("build with "+s.Name, 0)
		b, err := build.Program(ctx, v, build.Options{Source: source.Options{WorkDir: t.Lab.WorkDir}, OutDir: dir})
		switch {
		case ctx.Err() != nil:
			return t, nil, fail.New(fail.Interrupted, "interrupted while building; nothing was stored")
		case err != nil:
			out.Skipped = append(out.Skipped, tuning.Skipped{Name: s.Name,
				Reason: "the toolchain refuses it: " + lastLine(err.Error())})
			continue
		}
		t.Lab.Built = append(t.Lab.Built, b)
		able = append(able, s)
	}
	return t, able, nil
}

func (t Trial) isBuilt(v build.Variant) bool {
	return slices.ContainsFunc(t.Lab.Built, func(b *build.Binary) bool { return v.BuiltLike(b.Variant) })
}

// add takes up what a round shows: it counts more than the round before.
func addRound(out *tuning.Verification, r *tuning.Round) {
	out.Rounds = append(out.Rounds, r)
	for _, e := range r.Effects {
		one := tuning.Tried{Effect: e, Round: len(out.Rounds), PeakRSSAsIs: r.AsIs.PeakRSSBytes}
		if e.OfCollector() {
			one.Unsettled = unsettled(e.Readings)
		}
		out.Tried = slices.DeleteFunc(out.Tried, func(t tuning.Tried) bool { return t.Name == e.Name })
		out.Tried = append(out.Tried, one)
	}
	ofMemory := out.OfMemory()
	slices.SortStableFunc(out.Tried, func(a, b tuning.Tried) int {
		if ofMemory {
			return cmp.Compare(a.Memory().Ratio, b.Memory().Ratio)
		}
		return cmp.Or(rank(a.Gains())-rank(b.Gains()), cmp.Compare(a.Ratio(), b.Ratio()))
	})
}

package tune

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
)

// Trial is a program that settings are tried on.
type Trial struct {
	Lab *lab.Lab
	// Task says how the program is measured as it is: one variant. Its Budget is that of all
	// rounds together.
	Task lab.Task
}

// program is the variant that settings are tried on.
func (t Trial) program() build.Variant { return t.Task.Variants[0] }

// mostSettings is how many settings a round can have beside the program as it is.
const mostSettings = record.MostVariants - 1

// round measures the program and the settings together. alpha is the level of all intervals of
// the round. Errors are those of service.Measure: what was measured until then is in the ledger.
func (t Trial) round(ctx context.Context, settings []tuning.Setting, budget time.Duration,
	alpha float64) (*tuning.Round, error) {
	if n := len(settings); n < 1 || n > mostSettings {
		return nil, fail.New(fail.BadInput, "%d settings to try, want 1 to %d", n, mostSettings)
	}
	r := t.Task
	r.Budget, r.Alpha, r.Together = budget, alpha, true
	// Profiles and time series of every setting would take longer than the comparison.
	r.ProfileTime, r.TraceTime, r.FlightTime, r.NoTrace, r.Metrics.Off, r.Metrics.Page = 0, 0, 0, true, true, ""
	r.Gates, r.Layouts, r.Calibrate = nil, 0, false // those are of comparisons
	r.Answers.Allow = true                          // a difference is part of the report
	if r.Seed == 0 {
		r.Seed = uint64(time.Now().UnixNano())
	}
	base := t.program()
	base.Name = "A"
	r.Variants = []build.Variant{base}
	for i, s := range settings {
		v, err := s.VariantOf(base, string(rune('B'+i)))
		if err != nil {
			return nil, fmt.Errorf("setting %s: %w", s.Name, err)
		}
		r.Variants = append(r.Variants, v)
	}
	out, err := service.Measure(ctx, t.Lab, r)
	if err != nil {
		return nil, naming(err, settings)
	}
	return newRound(out, settings, alpha), nil
}

// newRound reads what a comparison of the program with settings says.
func newRound(out *record.Outcome, settings []tuning.Setting, alpha float64) *tuning.Round {
	c := out.Comparison
	o := &tuning.Round{Comparison: c.ID, Budget: c.Budget, Conf: 1 - alpha, Outcome: out, AsIs: asIs(out.Runs[0])}
	for i, s := range settings {
		o.Effects = append(o.Effects, effect(s, out.Runs[i+1], c.Contests[i]))
	}
	for _, e := range o.Effects {
		if v, ok := e.On(measure.CPU); ok {
			o.AsIs.CPUNanos = v.A
			break
		}
	}
	return o
}

// naming says which letters of a message stand for which settings.
func naming(err error, settings []tuning.Setting) error {
	hint := "A is the program as it is"
	for i, s := range settings {
		hint += fmt.Sprintf(", %c is %s", 'B'+i, s.Name)
	}
	if own := fail.HintOf(err); own != "" {
		hint = own + "; " + hint
	}
	return fail.New(fail.Or(fail.Subject, err), "%w", err).WithHint("%s", hint)
}

// prebuild builds the program as it is, so that no round has to: variants that differ in the
// environment or the arguments of the program share one executable. dir has to stay until the
// last round is over.
func (t Trial) prebuild(ctx context.Context, dir string) (Trial, error) {
	v := t.program()
	v.Name = "A"
	if t.isBuilt(v) {
		return t, nil
	}
	t.Lab.Progress.Phase("build "+v.Source, 0)
	b, err := build.Program(ctx, v, build.Options{Source: source.Options{WorkDir: t.Lab.WorkDir}, OutDir: dir})
	if err != nil {
		return t, err
	}
	with := *t.Lab
	with.Built = append(slices.Clone(with.Built), b)
	t.Lab = &with
	return t, nil
}

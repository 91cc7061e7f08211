package app

import (
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/production"
)

// production are the CPU profiles of --weigh, and what a person calls them; nil if it was not asked for.
func (a *App) production(f *spec.Spec) (captures []prof.Capture, name string, err error) {
	if f.Weigh == "" {
		return nil, "", nil
	}
	p, err := a.OpenProfiles(f, f.Weigh, "cpu")
	if err != nil {
		return nil, "", err
	}
	if captures, err = p.All("cpu"); err != nil {
		return nil, "", err
	}
	if _, _, err := production.NewShares(captures, captures); err != nil {
		return nil, "", fail.New(fail.BadInput, "--weigh %s: %w", f.Weigh,
			err).WithHint("name a CPU profile of production: hone pull makes a run of one")
	}
	return captures, p.Name, nil
}

// WeighFindings ranks the findings of a run by production.
func (a *App) WeighFindings(f *spec.Spec, found *advice.Findings, run string) error {
	captures, _, err := a.production(f)
	if err != nil {
		return err
	}
	p, err := a.OpenProfiles(f, run, "cpu")
	if err != nil {
		return err
	}
	own, err := p.All("cpu")
	if err != nil {
		return err
	}
	inProduction, inRun, err := production.NewShares(captures, own)
	if err != nil {
		return fail.New(fail.BadInput, "%w", err)
	}
	found.Weigh(inProduction, inRun)
	return nil
}

// MostWeighed is the longest time of the profiles of a comparison that is weighed, unless the user gives one.
const MostWeighed = 10 * time.Second

// WeighedBy is what a change is weighed by; nil if that was not asked for.
func (a *App) WeighedBy(f *spec.Spec) (*lab.Production, error) {
	captures, name, err := a.production(f)
	if err != nil || captures == nil {
		return nil, err
	}
	if f.NoProfile {
		return nil, fail.New(fail.BadInput,
			"--weigh needs the CPU profiles of both variants, and --no-profile takes none").WithHint("leave out one of them")
	}
	return &lab.Production{Name: name, CPU: captures}, nil
}

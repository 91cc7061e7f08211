package page

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/prof"
)

// Profile makes a profile of a run ready to be drawn. The cohort is that of a wait profile, else empty. A run or a kind
// that is not there is fail.BadInput.
func (l *Library) Profile(run, kind, cohort string) (*Profile, error) {
	r, c, err := l.profiled(run, kind)
	if err != nil {
		return nil, err
	}
	var cohorts []string
	if kind == prof.WaitKind {
		cohorts = cohortsOf(c)
		if c, err = c.Cohort(cohort); err != nil {
			return nil, fail.New(fail.BadInput, "run %s: %w", r.Record.ID, err)
		}
		if cohort == "" {
			cohort = prof.TypicalCohort
		}
	} else if cohort != "" {
		return nil, fail.New(fail.BadInput, "a %s profile has no cohorts", kind).WithHint("only wait profiles have")
	}
	o := prof.PackOptions{Code: prof.Code{Module: r.Record.Binary.Module, MainPackage: r.Record.Binary.Package}}
	if kind == "cpu" {
		if allocs, err := l.captures(r.Record.ID, "allocs"); err == nil {
			o.Allocs = &allocs
		}
	}
	p, err := ProfileOf(c, o)
	if err != nil {
		return nil, fail.New(fail.BadInput, "run %s: %w", r.Record.ID, err)
	}
	p.Run, p.Cohort, p.Cohorts = r.Record.ID, cohort, cohorts
	if r.Once != nil {
		p.Operation = "execution"
	}
	program := titledOf(r.Record.Label, r.Record.Binary.Package)
	p.Title = fmt.Sprintf("%s profile of %s", kind, program)
	if cpu := r.Record.CPUNanos; kind == "cpu" && cpu != nil {
		p.Measured = &model.Number{Value: cpu.Value, Text: units.Nanos(cpu.Value)}
	}
	if kind == prof.WaitKind {
		p.Notes = append(p.Notes, waitNote)
	}
	if cohort != "" {
		p.Title = fmt.Sprintf("wait profile of the %s requests of %s", cohort, program)
	}
	return p, nil
}

// waitNote says whose stacks a wait profile has under the frames of package walltime.
const waitNote = "Under [waiting to run behind] stand the stacks of what ran meanwhile: other requests, or the " +
	"runtime. Under [woken by] stands the stack of the goroutine that ended the wait."

// profiled is a run with its profiles of a kind, added up.
func (l *Library) profiled(run, kind string) (r *stored.Run, c prof.Capture, err error) {
	if r, err = l.Stored.Run(run); err != nil {
		return nil, c, err
	}
	c, err = l.captures(r.Row.ID, kind)
	return r, c, err
}

// ProfileOf makes a capture ready to be drawn: one of a run, or of a file.
func ProfileOf(c prof.Capture, o prof.PackOptions) (*Profile, error) {
	packed, err := prof.Pack(c, o)
	if err != nil {
		return nil, err
	}
	p := &Profile{
		Schema: Schema, Title: c.Kind + " profile", Kind: c.Kind, Requests: c.Requests(), Seconds: c.Duration.Seconds(),
		PerRequest: c.Kind == prof.WaitKind, Packed: packed,
	}
	if packed.Dropped > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("left out, because they are small: %s; their values are in their callers",
			units.Plural(packed.Dropped, "frame")))
	}
	return p, nil
}

// cohortsOf are the cohorts of a wait profile, the usual one first.
func cohortsOf(c prof.Capture) []string {
	known := map[string]bool{}
	for _, s := range c.Profile.Sample {
		for _, cohort := range s.Label["cohort"] {
			known[cohort] = true
		}
	}
	all := slices.Sorted(maps.Keys(known))
	slices.Reverse(all) // typical before slow
	return all
}

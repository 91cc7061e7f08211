package fix

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
)

// findingsOf are the findings of a stored run.
func findingsOf(lib *stored.Library, name string) ([]advice.Finding, *record.Run, error) {
	v, run, err := app.ViewOf(lib, name)
	if err != nil {
		return nil, nil, err
	}
	if run.Once != nil {
		return nil, nil, fail.New(fail.BadInput, "run %s is of whole executions, and rewrites are measured under load",
			run.Row.ID).WithHint("make the change by hand and compare: hone compare --once")
	}
	found, err := advice.Find(v)
	if err != nil {
		return nil, nil, fail.New(fail.Storage, "run %s: %w", v.Run, err)
	}
	return found.Findings, &run.Record, nil
}

// Candidate is the finding of a run with that number, as it can be tried. It is refused where there is no rewrite, and
// where the finding names no file that can be changed.
func Candidate(number int, f advice.Finding, run *record.Run) (*tune.Candidate, error) {
	how := rewrite.For(f.Rule)
	switch {
	case how == nil:
		return nil, fail.New(fail.BadInput, "finding %s (%s) has no mechanical rewrite", f.Rule,
			f.Place).WithHint("%s", f.Change)
	case f.Place.File == "":
		return nil, fail.New(fail.BadInput, "finding %s names no line of your source", f.Rule).WithHint("%s", f.Change)
	case run.Binary.Version() != "":
		return nil, fail.New(fail.BadInput, "run %s is of %s, and a rewrite is of the files as they are now", run.ID,
			run.Binary.Version()).
			WithHint("measure the program in its directory with hone run, and try the finding of that run")
	}
	file := filepath.FromSlash(f.Place.File)
	if inside, ok := strings.CutPrefix(f.Place.File, run.Binary.Module+"/"); ok { // as -trimpath writes it
		file = filepath.FromSlash(inside)
	}
	v := run.Binary.Variant
	return &tune.Candidate{
		Finding: tuning.Rewritten{Run: run.ID, Number: number, Rule: f.Rule, Title: f.Title, Place: f.Place.String(),
			Does: how.Does},
		How: how, Place: rewrite.Place{File: file, Line: int(f.Place.Line), Function: f.Place.Function},
		Options: rewrite.Options{Module: build.ModuleRoot(run.Binary.Dir), Env: build.Env(v), Flags: v.BuildFlags},
		Decides: decides(f.Measure),
	}, nil
}

// decides is the measure that a finding is about.
func decides(m advice.Measure) judge.Measure {
	key := map[advice.Measure]string{advice.Latency: "p50", advice.Tail: "p99", advice.Memory: measure.Resident.Key}[m]
	i := slices.IndexFunc(measure.All, func(c judge.Measure) bool { return c.Key == key })
	if i < 0 {
		return measure.CPU
	}
	return measure.All[i]
}

package lab

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
)

// Again returns the task that measures a stored run under load once more: of one variant, called A, from the source as
// it is now. by is what completes it, and the test: see spec.Stored.Again. More variants make it a comparison, which
// also wants a Budget. workDir is what its source refers to: the Lab's WorkDir has to be that.
//
// Errors are fail.BadInput: the run is of an older hone that did not keep what it was asked
// for; a secret was left out of it that by does not give; its directory is not on this machine;
// or it was measured with files instead of those of the tree.
func Again(r record.Run, by spec.Parts) (task Task, workDir string, err error) {
	a := r.Asked
	if a == nil {
		return Task{}, "", fail.New(fail.BadInput,
			"run %s does not say how it was measured: it is of an older hone, or was broken off before its start",
			r.ID).
			WithHint("measure it once more with hone run, and use that run")
	}
	if len(r.Binary.Variant.Overlay) > 0 {
		return Task{}, "", fail.New(fail.BadInput, "run %s was measured with changes that are not in the source: %s",
			r.ID, strings.Join(overlaid(r.Binary.Variant), ", ")).
			WithHint("use a run of the source as it is")
	}
	if len(r.Agents) > 0 {
		return Task{}, "", fail.New(fail.BadInput, "run %s was loaded by agents, who may not be there any more", r.ID).
			WithHint("measure it with hone run PACKAGE --agents, or without, and use that run")
	}
	if info, err := os.Stat(a.WorkDir); err != nil || !info.IsDir() {
		return Task{}, "", fail.New(fail.BadInput, "run %s was measured in %s, and there is no such directory here",
			r.ID, a.WorkDir).
			WithHint("measure it here with hone run, and use that run")
	}
	if task.Parts, err = partsAgain(r, by); err != nil {
		return Task{}, "", fail.New(fail.BadInput,
			"run %s cannot be measured again as it is stored, since hone keeps no secrets:\n%w", r.ID, err).
			WithHint("give what is missing by the flags named; a run with --set keep-env keeps its environment")
	}
	return task, a.WorkDir, nil
}

// overlaid are the names of the files of an overlay.
func overlaid(v build.Variant) []string {
	var names []string
	for name := range v.Overlay {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// partsAgain are the parts that measure a run once more. What may be secret is left out of them where by does not give
// it; then there is an error, too.
func partsAgain(r record.Run, by spec.Parts) (spec.Parts, error) {
	v := r.Binary.Variant
	v.Name, v.Layout = "A", 0
	p, err := r.Asked.Again(v, r.Args, by)
	p.Slice, p.Duration = r.Slice, cmp.Or(p.Duration, r.Slice*time.Duration(r.Slices))
	return p, err
}

package app

import (
	"errors"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/earlyend"
)

// takeStep changes a measurement whose program ended early to the next step, if that needs no choice of the user, and
// says so; "" where it does, and where the user has chosen already.
func (f *MeasureFlags) takeStep(err error) (said string) {
	var early *earlyend.Error
	if !errors.As(err, &early) {
		return ""
	}
	step, line := early.Step, f.Task.Command
	hasArgs := len(f.Args) > 0 || slices.ContainsFunc(f.Variants, func(v build.Variant) bool { return len(v.Args) > 0 })
	switch {
	case step.Args != nil && !hasArgs && !slices.Contains(line, "--"):
		f.Args, line = step.Args, append(append(slices.Clone(line), "--"), step.Args...)
	case step.WorkDir != "" && f.Dir == "":
		f.Dir, line = step.WorkDir, line.With("--work-dir="+step.WorkDir)
	default:
		return ""
	}
	f.Task.Parts, f.Task.Command = f.Parts, line
	what, _, _ := strings.Cut(early.Error(), ";")
	return what + "\n" + early.Step.Hint + "\ntry that: " + line.String()
}

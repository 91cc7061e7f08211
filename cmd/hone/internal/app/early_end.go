package app

import (
	"errors"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/earlyend"
	"github.com/gohone/hone/internal/text/shellwords"
)

// takeStep reads the error of a measurement. If its program ended before it was ready, and there is a step that makes
// it start (earlyend.Step), takeStep changes the flags by that step, and returns what to tell the user. It changes
// nothing and returns "" if the user has to choose a value, or has given arguments or a directory already. The record
// of the measurement notes the step, so that hone show, the page and hone mcp tell it, too.
func (f *MeasureFlags) takeStep(err error) (said string) {
	var early *earlyend.Error
	if !errors.As(err, &early) {
		return ""
	}
	step, line, added := early.Step, f.Task.Command, ""
	hasArgs := len(f.Args) > 0 || slices.ContainsFunc(f.Variants, func(v build.Variant) bool { return len(v.Args) > 0 })
	switch {
	case step.Args != nil && !hasArgs && !slices.Contains(line, "--"):
		f.Args, line = step.Args, append(append(slices.Clone(line), "--"), step.Args...)
		added = "-- " + shellwords.Join(step.Args)
	case step.WorkDir != "" && f.Dir == "":
		f.Dir, line = step.WorkDir, line.With("--work-dir="+step.WorkDir)
		added = "--work-dir " + shellwords.Quote(step.WorkDir)
	default:
		return ""
	}
	what, _, _ := strings.Cut(early.Error(), ";")
	f.Notes = append(f.Notes, "hone added "+added+": without that, "+what)
	f.Task.Parts, f.Task.Command = f.Parts, line
	return what + "\n" + early.Step.Hint + "\ntry that: " + line.String()
}

package lab

import (
	"errors"
	"fmt"
	"io"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Task is what to measure: the parts of the spec, and what a command adds to them. One variant makes a run, more a
// comparison of each with the first. Under load each variant runs where its source came from, which is Lab.WorkDir, and
// for a git ref a checkout (build.Binary.Place), unless Dir says otherwise. Programs that end by themselves run in
// Lab.WorkDir.
type Task struct {
	spec.Parts
	// Together has the intervals of a comparison of several variants hold for all at once: see compare.Question.
	Together bool
	// OneStage says that no difference is confirmed by a second stage.
	OneStage bool
	// Calibrate says that the two variants are equal, and are measured for the whole budget to find out what
	// comparisons show.
	Calibrate bool
	// Production weighs the change of a comparison; nil: nothing does.
	Production *Production
	// Agents load the programs from other machines instead of hone; nil: hone does.
	Agents *Agents
	// Stdout and Stderr, if not nil, get what the timed executions of programs that end write.
	Stdout, Stderr io.Writer
	// Checked is what the patches among the variants passed.
	Checked []record.Checked
	// Command is the command line that asked for this, for those that hone prints; nil: not known.
	Command spec.Line
}

// MostVariants is how many variants a comparison can have: they are called A to Z.
const MostVariants = 26

// Faults are those of any task.
func (r Task) Faults() []error {
	var faults []error
	switch n := len(r.Variants); {
	case n < 1 || n > MostVariants:
		faults = append(faults, fmt.Errorf("%d variants, want one (a run) to %d (a comparison)", n, MostVariants))
	case n > 1 && r.Budget <= 0:
		faults = append(faults, fmt.Errorf("budget is %v, want more than 0", r.Budget))
	}
	return append(faults, r.Program.Validate(), r.Test.Validate(), r.Observe.Validate())
}

// QuestionOn is what a comparison is to answer of some measures.
func (r Task) QuestionOn(gated judge.Measure, all []judge.Measure) compare.Question {
	q := compare.Question{Gated: gated, Measures: all, Gates: r.Gates, Options: r.Rules(), Budget: r.Budget,
		Together: r.Together, OneStage: r.OneStage}
	for _, v := range r.Variants[1:] {
		q.Variants = append(q.Variants, v.Name)
	}
	return q
}

// Validate reports all faults of a task under load at once.
func (r Task) Validate() error {
	faults := append(r.Faults(), r.Load.Validate())
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(r.Variants) == 1 && r.Duration <= 0 {
		say("duration is %v, want more than 0", r.Duration)
	}
	if r.Slice == 0 && len(r.Variants) == 1 {
		say("slice is %v, want more than 0", r.Slice)
	}
	if r.Holders && len(r.Variants) > 1 {
		say("who holds the memory is asked with the profiles of a run, and there are to be none")
	}
	if r.Spans && len(r.Variants) > 1 {
		say("spans are taken of a run, and not of a comparison")
	}
	return errors.Join(faults...)
}

// OwnEngine says that hone makes the load itself, on this machine.
func (r Task) OwnEngine() bool { return !r.LoadCommand.Given() && r.Agents == nil }

// Repeated is the command line of the task with other flags: see spec.Line.Repeated.
func (r Task) Repeated(flags ...string) string { return r.Command.Repeated(r.Target, flags...) }

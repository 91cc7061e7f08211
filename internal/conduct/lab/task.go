package lab

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
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

func (r Task) options() judge.Options { return judge.Options{Alpha: r.Alpha, Delta: r.Delta} }

// QuestionOn is what a comparison is to answer of some measures.
func (r Task) QuestionOn(gated judge.Measure, all []judge.Measure) compare.Question {
	q := compare.Question{Gated: gated, Measures: all, Gates: r.Gates, Options: r.options(), Budget: r.Budget,
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

// ready is Ready as Start takes it; Validate has read it.
func (r Task) ready() *subject.Ready {
	if r.Ready == "" {
		return nil
	}
	parsed, err := subject.ParseReady(r.Ready)
	if err != nil {
		return nil
	}
	return parsed
}

// schedule is the load of one slice of length d.
func (r Task) schedule(d time.Duration) load.Schedule {
	if r.RateHz > 0 && d > 0 {
		return load.OpenLoop(r.RateHz, d)
	}
	return load.ClosedLoop(d)
}

// ownEngine says that hone makes the load itself, on this machine.
func (r Task) ownEngine() bool { return !r.LoadCommand.Given() && r.Agents == nil }

// judge returns the doubts about what was measured by a plan, in slices of this length.
func (r Task) judge(t load.Tally, plan load.Plan, slice time.Duration) []load.Doubt {
	if r.LoadCommand.Given() {
		return judgeCommand(t)
	}
	return load.Evidence{Plan: plan, Schedule: r.schedule(max(slice, shortestSlice)), Tally: t}.Judge()
}

// question is what a comparison under load is to answer.
func (r Task) question() compare.Question {
	q := r.QuestionOn(measure.CPU, measure.All)
	q.WholeBudget, q.Budget, q.Linking = r.Calibrate, r.times().forBlocks(r.Budget), r.Budget/linkShare
	if r.Layouts == 1 {
		q.Linking = 0
	}
	if r.RateHz > 0 {
		q.Beside = measure.OfOpenLoop
	}
	return q
}

package lab

import (
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/loadcmd"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// Common is what every request says, for load and for executions. One variant makes a run,
// more a comparison of each with the first.
type Common struct {
	Variants []build.Variant
	// Args are for all variants, after their own.
	Args []string
	// Dir is the directory that all variants run in. Empty: the method of measurement says.
	Dir string
	// KeepEnv stores and prints the values of the variants' environment as they are.
	KeepEnv bool
	// Budget is the most time that a comparison may take from the first start on: profiles, traces, the second stage
	// and the check of a gain are of it, and only builds are not. It ends sooner where it can.
	Budget time.Duration
	// FailIf are conditions on the load of one program that must not hold.
	FailIf []limit.Threshold `json:"fail_if,omitempty"`
	// Gates end a comparison as soon as all of them are settled, and are judged by it.
	Gates []gate.Gate
	// Alpha is the level of the test, Delta the tolerance of "same", as fractions; 0
	// takes the default of package compare.
	Alpha, Delta float64
	// Together has the intervals of a comparison of several variants hold for all at once: see
	// compare.Question.
	Together bool
	// OneStage says that no difference is confirmed by a second stage.
	OneStage bool
	// Production weighs the change of a comparison; nil: nothing does.
	Production *Production `json:"-"`
	// ProfileRate is how many ticks per second of CPU time CPU profiles have; 0 is the
	// usual 100.
	ProfileRate int
	// Grace is the time between TERM and KILL; 0 takes that of package subject.
	Grace time.Duration
	// Notes are what there is to say of the request, for every run.
	Notes []string
	// Seed draws the order of slices and executions.
	Seed uint64
	// Command is the command line that asked for this, for those that hone prints; nil: not known.
	Command spec.Line
}

// mostTicks is what the probe allows, per second of CPU time.
const mostTicks = 10_000

func (c Common) faults() []error {
	var faults []error
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	switch n := len(c.Variants); {
	case n < 1 || n > record.MostVariants:
		say("%d variants, want one (a run) to %d (a comparison)", n, record.MostVariants)
	case n > 1 && c.Budget <= 0:
		say("budget is %v, want more than 0", c.Budget)
	}
	if c.Grace < 0 {
		say("grace is %v, want 0 or more", c.Grace)
	}
	if c.ProfileRate < 0 || c.ProfileRate > mostTicks {
		say("profile rate is %d ticks per second, want up to %d, 0 for the usual 100", c.ProfileRate, mostTicks)
	}
	return append(faults, c.options().Validate())
}

func (c Common) options() judge.Options { return judge.Options{Alpha: c.Alpha, Delta: c.Delta} }

// question is what a comparison is to answer.
func (c Common) question(gated judge.Measure, all []judge.Measure) compare.Question {
	q := compare.Question{Gated: gated, Measures: all, Gates: c.Gates, Options: c.options(), Budget: c.Budget, Together: c.Together, OneStage: c.OneStage}
	for _, v := range c.Variants[1:] {
		q.Variants = append(q.Variants, v.Name)
	}
	return q
}

// Request says what to measure under load. Each variant runs where its source came from,
// which is Lab.WorkDir, and for a git ref a checkout (build.Binary.Place), unless Dir says
// otherwise.
type Request struct {
	Common
	record.Starting
	record.Observing
	// Target is the URL under load; PortTemplate in it is filled per variant: the port that
	// the subject is told, or else the one of those that it opens that answers the protocol.
	// Empty: the port that the subject opens is found, and what it speaks.
	Target string
	// Path is the path of the target that is found, or takes the place of Target's; empty
	// leaves it.
	Path string
	// Protocol options of the target's scheme.
	Protocol wire.Options
	Plan     load.Plan
	// Load is a command that loads the programs instead of hone; nil: hone does.
	Load *loadcmd.Command
	// Agents load the programs from other machines instead of hone; nil: hone does.
	Agents *Agents
	// RateHz makes the load an open loop of that rate, in requests per second; 0 is a
	// closed loop.
	RateHz float64
	// Duration is the time of timed load of a run.
	Duration time.Duration
	// Slice is the length of one slice; 0, in a comparison, finds out what serves best.
	Slice time.Duration
	// WarmUp is the load before the first slice of each start, not counted.
	WarmUp time.Duration
	// BlockLoad is the timed load between fresh starts of the variants in a comparison;
	// 0 finds out what serves best. A run has one start.
	BlockLoad time.Duration
	// Layouts is how many other orders of their functions the variants are linked in for the second stage of a comparison, whose
	// starts have one after the other. 0 is one for each start, as far as the budget has room for linking; 1 keeps to the linker's
	// own order.
	Layouts int
	// Calibrate says that the two variants are equal, and are measured for the whole budget to
	// find out what comparisons show.
	Calibrate bool
	// Answers is what the user says about the answers of a comparison.
	Answers AnswerRules
}

// Validate reports all faults of the request at once.
func (r Request) Validate() error {
	faults := r.Common.faults()
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if len(r.Variants) == 1 && r.Duration <= 0 {
		say("duration is %v, want more than 0", r.Duration)
	}
	if r.Layouts < 0 || r.Layouts > mostLayouts {
		say("%d layouts, want 0 to %d", r.Layouts, mostLayouts)
	}
	if r.BlockLoad < 0 {
		say("load between starts is %v, want 0 or more", r.BlockLoad)
	}
	if r.Slice < 0 || r.Slice == 0 && len(r.Variants) == 1 {
		say("slice is %v, want more than 0", r.Slice)
	}
	if !(r.RateHz >= 0 && r.RateHz <= load.MaxRateHz) {
		say("rate is %v/s, want 0 to %v", r.RateHz, float64(load.MaxRateHz))
	}
	if r.WarmUp < 0 {
		say("warm-up is %v, want 0 or more", r.WarmUp)
	}
	if r.ProfileTime < 0 {
		say("profile time is %v, want 0 or more", r.ProfileTime)
	}
	if r.TraceTime < 0 || r.TraceTime > mostTrace {
		say("trace time is %v, want 0 to %v", r.TraceTime, mostTrace)
	}
	if r.FlightTime < 0 {
		say("flight time is %v, want 0 or more", r.FlightTime)
	}
	if (r.TraceTime > 0 || r.FlightTime > 0) && r.ProfileTime == 0 {
		say("traces are taken with the profiles, and there are to be none")
	}
	if r.Holders && (r.ProfileTime == 0 || len(r.Variants) > 1) {
		say("who holds the memory is asked with the profiles of a run, and there are to be none")
	}
	if r.Spans && len(r.Variants) > 1 {
		say("spans are taken of a run, and not of a comparison")
	}
	if r.Ready != "" {
		_, err := subject.ParseReady(r.Ready)
		faults = append(faults, err)
	}
	if r.AfterStartLimit < 0 {
		say("time limit of the command after a start is %v, want 0 or more", r.AfterStartLimit)
	}
	faults = append(faults, subject.CheckCopies(r.Copy), r.Box.Validate(), needs.Check(r.Needs), validateMetrics(r.Metrics), r.Plan.Validate())
	return errors.Join(faults...)
}

// mostLayouts bounds the builds of a variant: a second stage has hardly more starts.
const mostLayouts = 100

// mostTrace is what the probe allows.
const mostTrace = time.Minute

// ready is Ready as Start takes it; Validate has read it.
func (r Request) ready() *subject.Ready {
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
func (r Request) schedule(d time.Duration) load.Schedule {
	if r.RateHz > 0 && d > 0 {
		return load.OpenLoop(r.RateHz, d)
	}
	return load.ClosedLoop(d)
}

// ownEngine says that hone makes the load itself, on this machine.
func (r Request) ownEngine() bool { return r.Load == nil && r.Agents == nil }

// judge returns the doubts about what was measured by a plan, in slices of this length.
func (r Request) judge(t load.Tally, plan load.Plan, slice time.Duration) []load.Doubt {
	if r.Load != nil {
		return judgeCommand(t)
	}
	return load.Evidence{Plan: plan, Schedule: r.schedule(max(slice, shortestSlice)), Tally: t}.Judge()
}

// question is what a comparison is to answer.
func (r Request) question() compare.Question {
	q := r.Common.question(measure.CPU, measure.All)
	q.WholeBudget, q.Budget, q.Linking = r.Calibrate, r.times().forBlocks(r.Budget), r.Budget/linkShare
	if r.Layouts == 1 {
		q.Linking = 0
	}
	if r.RateHz > 0 {
		q.Beside = measure.OfOpenLoop
	}
	return q
}

package service

import (
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/load"
)

// readyOf is Ready as Start takes it; Validate has read it.
func readyOf(r lab.Task) *subject.Ready {
	if r.Ready == "" {
		return nil
	}
	parsed, err := subject.ParseReady(r.Ready)
	if err != nil {
		return nil
	}
	return parsed
}

// scheduleOf is the load of one slice of length d.
func scheduleOf(r lab.Task, d time.Duration) load.Schedule {
	if r.RateHz > 0 && d > 0 {
		return load.OpenLoop(r.RateHz, d)
	}
	return load.ClosedLoop(d)
}

// doubtsOf returns the doubts about what was measured by a plan, in slices of this length. onTime are the counts of those
// of a comparison in which the generator was on time.
func doubtsOf(r lab.Task, t load.Tally, onTime *load.Counts, plan load.Plan, slice time.Duration) []load.Doubt {
	if r.LoadCommand.Given() {
		return judgeCommand(t)
	}
	return load.Evidence{Plan: plan, Schedule: scheduleOf(r, max(slice, shortestSlice)), Tally: t,
		OnTime: onTime}.Judge()
}

// questionOf is what a comparison under load is to answer.
func questionOf(r lab.Task) compare.Question {
	q := r.QuestionOn(measure.CPU, measure.All)
	q.WholeBudget, q.Budget, q.Linking = r.Calibrate, timesOf(r).forBlocks(r.Budget), r.Budget/linkShare
	if r.Layouts == 1 {
		q.Linking = 0
	}
	if r.RateHz > 0 {
		q.Beside = measure.OfOpenLoop
	}
	return q
}

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

var visits = section{
	Name:  "visits",
	Title: "Visitor counter",
	About: `Published: go test -bench on one machine, the stages one after the other. Here: hone bench, two stages at a
time as two versions of one benchmark, in short processes in turns. The stages escape what they write into the
page, which the published ones do not, and each visit parses its query, which the published benchmark kept from
the visit before. Ratios are of time per visit, to the rung above.`,
	Measure: measureVisits,
}

// visitCost is what one visit takes.
type visitCost struct{ nanos, bytes, allocs float64 }

// published has the figures as they were published.
func (c visitCost) published() string {
	return fmt.Sprintf("%s ns, %s B, %s allocs", commas(int64(c.nanos)), commas(int64(c.bytes)), trimmed(c.allocs))
}

// here has what was measured, with the time of the rung above, which was measured
// together with it; 0 for the first rung.
func (c visitCost) here(above float64) string {
	return fmt.Sprintf("%s ns, %s B, %s allocs", fromTo(above, c.nanos, rounded), rounded(c.bytes), trimmed(c.allocs))
}

// visitRungs are the ladder; what is zero was not published.
var visitRungs = []struct {
	stage     string
	published visitCost
	note      string
}{
	{"start", visitCost{5403, 1307, 25}, ""},
	{"fprintf", visitCost{6325, 1153, 23}, ""},
	{"pooled", visitCost{4203, 1131, 21}, ""},
	{"pooled-log", visitCost{3421, 783, 19}, ""},
	{"zerolog", visitCost{1077, 391, 5}, ""},
	{"bytes", visitCost{796, 303, 2}, ""},
	{"final", visitCost{590, 217, 2}, "the mutex is held for less, which one goroutine does not notice"},
	{"sharded", visitCost{}, "a further rung"},
}

const visitsBudget = 20 * time.Second

func measureVisits(ctx context.Context, r *rig) ([]row, error) {
	var rows []row
	for i, s := range visitRungs[1:] {
		before := visitRungs[i]
		step, err := r.visitStep(ctx, before.stage, s.stage)
		if err != nil {
			return rows, err
		}
		if i == 0 {
			rows = append(rows, row{What: before.stage, Published: before.published.published(), Here: step.a.here(0), Note: before.note})
		}
		next := row{What: s.stage, Here: step.b.here(step.a.nanos), Ratio: step.time, Note: s.note}
		if s.published.nanos > 0 {
			next.Published, next.PublishedRatio = s.published.published(), s.published.nanos/before.published.nanos
			if next.PublishedRatio > 1 {
				next.Note = joined(next.Note, "published as slower than the rung above; hone's verdict here: "+step.word)
			}
		}
		rows = append(rows, next)
	}
	return rows, nil
}

// visitStep is one stage against another.
type visitStep struct {
	a, b visitCost
	time ratio
	word string // hone's verdict on the time
}

// visitStep compares stage b with stage a. It runs in the package's directory, which is
// both versions: what differs is the environment.
func (r *rig) visitStep(ctx context.Context, a, b string) (visitStep, error) {
	var d benchDocument
	err := r.ask(ctx, "services/visits", &d, []int{exitRegression, exitUndecided},
		"bench", ".", "--json", "--quiet", "--ledger", r.ledger(), "--vs", "./", "--identical", "--bench", "Stage$",
		"--env", "A:VISITS_STAGE="+a, "--env", "B:VISITS_STAGE="+b, "--budget", r.budget(visitsBudget),
		"-o", filepath.Join(r.dir, "visits.txt"))
	if err != nil {
		return visitStep{}, err
	}
	step, err := d.step()
	if err != nil {
		return step, fmt.Errorf("compare %s with %s: %w", b, a, err)
	}
	return step, nil
}

// benchDocument is what is read of hone.bench/1.
type benchDocument struct {
	Benchmarks []struct{ Verdicts []verdict }
}

func (d benchDocument) step() (s visitStep, err error) {
	if len(d.Benchmarks) != 1 {
		return s, fmt.Errorf("%d benchmarks, want one", len(d.Benchmarks))
	}
	all := d.Benchmarks[0].Verdicts
	time, err1 := find(all, "time")
	bytes, err2 := find(all, "bytes")
	allocs, err3 := find(all, "allocs")
	if err := errors.Join(err1, err2, err3); err != nil {
		return s, err
	}
	return visitStep{
		a: visitCost{time.A, bytes.A, allocs.A}, b: visitCost{time.B, bytes.B, allocs.B}, time: time.change(), word: time.Word,
	}, nil
}

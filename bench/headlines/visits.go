package headlines

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
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
	return fmt.Sprintf("%s ns, %s B, %s allocs", commas(int(c.nanos)), commas(int(c.bytes)), trimmed(c.allocs))
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
	word      judge.Word // what hone has to say of it and the rung above; empty: anything
}{
	{"start", visitCost{5403, 1307, 25}, "", ""},
	{"fprintf", visitCost{6325, 1153, 23}, "", judge.Slower},
	{"pooled", visitCost{4203, 1131, 21}, "", judge.Faster},
	{"pooled-log", visitCost{3421, 783, 19}, "", judge.Faster},
	{"zerolog", visitCost{1077, 391, 5}, "", judge.Faster},
	{"bytes", visitCost{796, 303, 2}, "", judge.Faster},
	{"final", visitCost{590, 217, 2}, "the mutex is held for less, which one goroutine does not notice", ""},
	{"sharded", visitCost{}, "a further rung", judge.Faster},
}

// measureVisits compares each rung with the one above, in the package's directory, which is
// both versions: what differs is the environment.
func measureVisits(ctx context.Context, r *rig) (rows []row, err error) {
	var wrong error
	for i, s := range visitRungs[1:] {
		before := visitRungs[i]
		var d benchDocument
		err := r.ask(ctx, "services/visits", &d, []int{honecli.Undecided}, "bench --quiet", ".",
			"--vs", "./", "--all", "--bench", "Stage$", "--env", "A:VISITS_STAGE="+before.stage, "--env",
			"B:VISITS_STAGE="+s.stage,
			"--budget", r.budget(20*time.Second), "-o", filepath.Join(r.dir, "visits.txt"))
		if err != nil {
			return rows, err
		}
		step, err := stepOf(d)
		if err != nil {
			return rows, fmt.Errorf("compare %s with %s: %w", s.stage, before.stage, err)
		}
		if want := s.word; want != "" && step.word != want {
			wrong = errors.Join(wrong, fmt.Errorf("%s is not called %s than %s, but %s", s.stage, want, before.stage,
				step.word))
		}
		if i == 0 {
			rows = append(rows, row{What: before.stage, Published: before.published.published(), Here: step.a.here(0),
				Note: before.note})
		}
		next := row{What: s.stage, Here: step.b.here(step.a.nanos), Ratio: step.time, Note: s.note}
		if s.published.nanos > 0 {
			next.Published, next.PublishedRatio = s.published.published(), s.published.nanos/before.published.nanos
			if next.PublishedRatio > 1 {
				next.Note = joined(next.Note, "published as slower than the rung above; hone's verdict here: "+
					string(step.word))
			}
		}
		rows = append(rows, next)
	}
	return rows, wrong
}

// visitStep is one stage against another.
type visitStep struct {
	a, b visitCost
	time figures.Ratio
	word judge.Word // on the time
}

// stepOf is the verdict of a document with one benchmark.
func stepOf(d benchDocument) (visitStep, error) {
	if len(d.Benchmarks) != 1 {
		return visitStep{}, fmt.Errorf("%d benchmarks, want one", len(d.Benchmarks))
	}
	v, err := find(d.Benchmarks[0].Verdicts, "time", "bytes", "allocs")
	if err != nil {
		return visitStep{}, err
	}
	return visitStep{visitCost{v[0].A, v[1].A, v[2].A}, visitCost{v[0].B, v[1].B, v[2].B}, change(v[0]), v[0].Word}, nil
}

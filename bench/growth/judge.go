package growth

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/growth/leaks"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/judge"
)

// judgement is what became of one trial.
type judgement struct {
	task
	// Found says that what the defect is known for was shown, Shown which measures of what the service keeps were.
	Found bool
	Shown []leaks.Measure
	// False are the statements that are not true.
	False []string
	// Took is the time of the blocks of a comparison, without builds.
	Took time.Duration
}

// judgeTrial holds what hone said against the truth. A service of which hone has no result does not count as found. A decoy or equal
// services without a result are not judged: they would else count as right.
func judgeTrial(t task, r record) (j judgement, ok bool) {
	j = judgement{task: t}
	switch {
	case r.Compared != nil:
		j.compare(*r.Compared)
	case r.Ran != nil:
		j.run(*r.Ran)
	default:
		return j, r.Failed != "" && !t.Decoy() && t.trial != equal
	}
	return j, true
}

// keeps are what B keeps, or the service of a run.
func (t task) keeps() []leaks.Measure {
	if t.trial == equal {
		return nil
	}
	return t.Kind.Keeps
}

// say counts a statement that B keeps more of a measure, or that the service of a run does.
func (j *judgement) say(m leaks.Measure, text string) {
	if !slices.Contains(j.keeps(), m) {
		j.False = append(j.False, text)
		return
	}
	j.Shown = append(j.Shown, m)
}

func (j *judgement) compare(c compared) {
	j.Took = c.Blocks
	for _, v := range c.Verdicts {
		switch v.Word {
		case judge.Slower:
			j.say(measureOf(v), fmt.Sprintf("B keeps more: %s", v.Measure.Name))
		case judge.Faster:
			j.False = append(j.False, fmt.Sprintf("A keeps more: %s", v.Measure.Name))
		}
	}
	for _, f := range c.Findings {
		if f.Word == advice.Gone || len(j.keeps()) == 0 {
			j.False = append(j.False, fmt.Sprintf("growth, %s in B: %s", f.Word, f.Title))
		}
	}
	j.Found = len(j.keeps()) > 0 && slices.Contains(j.Shown, j.keeps()[0])
}

func (j *judgement) run(r ran) {
	if g := r.Growth; g != nil && g.HeapBytes > 0 {
		j.say(leaks.Heap, fmt.Sprintf("the live heap grows by %.3g B per request", g.HeapBytes))
	}
	if g := r.Growth; g != nil && g.Goroutines > 0 {
		j.say(leaks.Goroutines, fmt.Sprintf("%.3g goroutines per request", g.Goroutines))
	}
	// A run has no row of descriptors: of what a service keeps, the first that it has a row of is wanted.
	wanted := slices.DeleteFunc(slices.Clone(j.keeps()), func(m leaks.Measure) bool { return m == leaks.Descriptors })
	j.Found = len(wanted) > 0 && slices.Contains(j.Shown, wanted[0])
}

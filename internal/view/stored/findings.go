package stored

import (
	"fmt"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
)

// Findings are what the rules say of the run with this id; nil for one without profiles. They are looked for once.
func (l *Library) Findings(id string) (*advice.Findings, error) {
	l.mu.Lock()
	find, known := l.found[id]
	if !known {
		if l.found == nil {
			l.found = map[string]func() (*advice.Findings, error){}
		}
		find = sync.OnceValues(func() (*advice.Findings, error) { return l.find(id) })
		l.found[id] = find
	}
	l.mu.Unlock()
	return find()
}

func (l *Library) find(id string) (*advice.Findings, error) {
	r, err := l.Run(id)
	if err != nil {
		return nil, err
	}
	if _, has, err := l.Captures(id); err != nil || len(has) == 0 {
		return nil, err
	}
	v, err := l.View(r.Record)
	if err != nil {
		return nil, err
	}
	return advice.Find(v)
}

// Explain fills in which findings came or went in each contest of a comparison of programs. A run whose profiles cannot
// be read has none: what was measured is worth showing without them.
func (l *Library) Explain(c *record.Comparison) {
	for i := range c.Contests {
		contest := &c.Contests[i]
		for _, v := range contest.Verdicts {
			if v.Measure.Key == measure.CPU.Key && min(contest.A, contest.B) >= 0 &&
				max(contest.A, contest.B) < len(c.Runs) {
				a, _ := l.Findings(c.Runs[contest.A])
				b, _ := l.Findings(c.Runs[contest.B])
				contest.Findings = advice.Changes(a, b, [2]float64{v.A, v.B})
			}
		}
	}
}

// View gathers what the rules look at.
func (l *Library) View(r record.Run) (*facts.View, error) {
	captures, _, err := l.Captures(r.ID, record.ViewKinds...)
	if err != nil {
		return nil, err
	}
	merged := map[string]prof.Capture{}
	for kind, all := range captures {
		if merged[kind], err = prof.MergeCaptures(all); err != nil {
			return nil, fmt.Errorf("merge %s profiles of run %s: %w", kind, r.ID, err)
		}
	}
	waits, err := l.Waits(r.ID)
	if err != nil {
		return nil, err
	}
	timeline, err := l.Timeline(r.ID)
	if err != nil {
		return nil, err
	}
	v := record.ViewOf(r, merged, waits, timeline)
	if l.Completing != nil {
		if flags, ok := l.Completing(r); ok {
			v.MeasuredAgain, v.Completing = true, strings.TrimSuffix(" "+flags, " ")
		}
	}
	if l.Strange(r.ID) {
		// no command is made of what a stranger's run says
		v.Compare, v.MeasuredAgain, v.Numbers.Growth.Longer = "", false, ""
	}
	if source := l.Source(r); source != nil {
		v.Source = source.Source
		if lists, ok := source.(interface{ Siblings(dir string) []string }); ok {
			v.Siblings = lists.Siblings
		}
	}
	return v, nil
}

package growth

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/growth/leaks"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/insight/advice"
	documents "github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// compared is what hone says of two services.
type compared struct {
	Word     judge.Word    `json:"verdict"`
	Elapsed  time.Duration `json:"elapsed_ns"` // with the builds
	Blocks   time.Duration `json:"blocks_ns"`  // of all blocks, what the budget is for
	Sentence string        `json:"sentence"`
	// Verdicts are those on what is kept, Findings those of growth that one side only has, as hone gave them.
	Verdicts []judge.Verdict `json:"verdicts"`
	Findings []advice.Change `json:"findings,omitempty"`
}

// target is the URL of all services.
var target = []string{"--target", "http://127.0.0.1:{port}/"}

// service are the words that start a kind.
func service(k leaks.Kind, fixed bool) string {
	text := "./svc -kind " + k.Name
	if fixed {
		text += " -fixed"
	}
	return text
}

// compare asks hone to compare A, which is fixed, with B. An invalid comparison is an error.
func (c config) compare(ctx context.Context, t task) (*compared, error) {
	var d struct {
		Schema     string
		Comparison *documents.Comparison
	}
	args := slices.Concat([]string{service(t.Kind, true), service(t.Kind, t.trial == equal), "--budget", c.budget.String()}, target, []string{"--", "-addr", "127.0.0.1:{port}"})
	if _, err := c.Hone.Ask(ctx, &d, []int{honecli.Regression, honecli.Invalid, honecli.Undecided}, "compare --quiet --no-report", args...); err != nil {
		return nil, err
	}
	r := d.Comparison
	if d.Schema != "hone.compare/2" || r == nil || len(r.Contests) != 1 {
		return nil, fmt.Errorf("read what hone compare prints: schema %q, want hone.compare/2 with one contest", d.Schema)
	}
	if r.Word == judge.Invalid {
		return nil, fmt.Errorf("the comparison is invalid: %s", r.Reason)
	}
	one := r.Contests[0]
	return &compared{
		Word: r.Word, Elapsed: r.Elapsed, Blocks: time.Duration(r.Blocks) * r.BlockTime, Sentence: model.ContestSentence(one),
		Verdicts: slices.DeleteFunc(one.Verdicts, func(v judge.Verdict) bool { return !slices.Contains(leaks.Measures, measureOf(v)) }),
		Findings: slices.DeleteFunc(one.Findings, func(f advice.Change) bool { return f.Measure != advice.Growing }),
	}, nil
}

func measureOf(v judge.Verdict) leaks.Measure { return leaks.Measure(v.Measure.Key) }

// ran is what hone run says of a service.
type ran struct {
	// Growth is nil where hone says of nothing that it grows.
	Growth *documents.Growth `json:"growth"`
}

// run loads a service. A run that hone distrusts is an error: it says nothing of growth.
func (c config) run(ctx context.Context, t task) (*ran, error) {
	var d struct {
		ID     string
		Growth *documents.Growth
	}
	args := slices.Concat([]string{"./svc", "-d", c.length.String()}, target, []string{"--", "-addr", "127.0.0.1:{port}", "-kind", t.Name})
	if _, err := c.Hone.Ask(ctx, &d, nil, "run --quiet --no-report", args...); err != nil {
		return nil, err
	}
	if d.ID == "" {
		return nil, fmt.Errorf("read what hone run prints: it has no run")
	}
	return &ran{d.Growth}, nil
}

// Package viewtest gives tests of the pages and texts comparisons that were measured, and recorded.
package viewtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// Recorded is a contest of two recorded views, whose verdicts are those of the counters of both runs. Those of the
// directory model/testdata/whys are edits of the shop of the stories, each compared with the shop as it is.
func Recorded(t *testing.T, dir string) (c record.Contest, views [2]*facts.View) {
	t.Helper()
	var findings [2]*advice.Findings
	for i, name := range []string{"a.view", "b.view"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			views[i], err = facts.ReadView(data)
		}
		if err == nil {
			findings[i], err = advice.Find(views[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a, b := views[0], views[1]
	cpu := [2]float64{a.Numbers.CPUNanos, b.Numbers.CPUNanos}
	c = record.Contest{B: 1, Findings: advice.Changes(findings[0], findings[1], cpu), Verdicts: []judge.Verdict{
		changedTo(measure.CPU, cpu[0], cpu[1]),
		changedTo(measure.Allocs, a.Numbers.Allocs, b.Numbers.Allocs),
		changedTo(measure.Bytes, a.Numbers.AllocBytes, b.Numbers.AllocBytes),
	}}
	c.Word = c.Verdicts[0].Word
	lower := cpu[1] < cpu[0]
	o := diff.WhyOptions{Code: a.Code, AllocatesToo: c.Verdicts[2].Word == c.Word}
	whole := diff.Whole{A: cpu[0], B: cpu[1], StdErr: 0.05 * cpu[1]} // as wide as those of the comparisons were
	var err error
	if c.Why, err = diff.Why(CPU(a), CPU(b), whole, lower, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "allocs.json"))
	if err == nil {
		err = json.Unmarshal(text, &c.WhyAllocs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c, views
}

// CPU is the CPU profile of a view.
func CPU(v *facts.View) []prof.Capture { return []prof.Capture{v.Captures["cpu"]} }

// changedTo is a verdict that a measure is another one.
func changedTo(m judge.Measure, a, b float64) judge.Verdict {
	v := judge.Verdict{Measure: m, Word: judge.Slower, A: a, B: b, Ratio: b / a}
	if b < a {
		v.Word = judge.Faster
	}
	return v
}

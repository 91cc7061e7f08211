package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// Each of eight edits of the shop (testdata/whys/NAME/edit.patch) was compared with the shop as it is, under load, on a
// machine on which much else ran. The first why names what was edited.
func TestTheFirstWhyNamesTheEdit(t *testing.T) {
	const catalogue = ` in main\.\(\*shop\)\.catalogue \(.*main\.go:8[345]\)`
	for name, want := range map[string]string{
		"contains":       `regexp\.MustCompile in main\.\(\*shop\)\.search \(.*\) is gone`,
		"compile-once":   `regexp\.MustCompile in main\.\(\*shop\)\.search \(.*\) is gone`,
		"pool-gzip":      catalogue + ` takes less`,
		"keep-catalogue": catalogue + ` is gone`,
		"similar":        `main\.distance \(.*main\.go:\d+\) is new`,
		"log-line":       `fmt\.Fprintf in main\.main\.func\* \(.*main\.go:50\) is new`,
		"journal":        `main\.\(\*shop\)\.order \(.*main\.go:69\)`,
		"etag":           `main\.tag \(.*main\.go:\d+\) is new`,
	} {
		t.Run(name, func(t *testing.T) {
			lines := whyLines(recorded(t, filepath.Join("testdata", "whys", name)))
			if len(lines) == 0 || !strings.HasPrefix(lines[0], "why") || !regexp.MustCompile(want).MatchString(lines[0]) {
				t.Errorf("the first is not %s:\n%s", want, strings.Join(lines, "\n"))
			}
		})
	}
}

// recorded is a contest of two recorded views, whose verdicts are those of the counters of both runs.
func recorded(t *testing.T, dir string) lab.Contest {
	t.Helper()
	var views [2]*advice.View
	var findings [2]*advice.Findings
	for i, name := range []string{"a.view", "b.view"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			views[i], err = advice.ReadView(data)
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
	c := lab.Contest{B: 1, Findings: advice.Changes(findings[0], findings[1], cpu), Verdicts: []judge.Verdict{
		changedTo(measure.CPU, cpu[0], cpu[1]),
		changedTo(measure.Allocs, a.Numbers.Allocs, b.Numbers.Allocs),
		changedTo(measure.Bytes, a.Numbers.AllocBytes, b.Numbers.AllocBytes),
	}}
	c.Word = c.Verdicts[0].Word
	lower := cpu[1] < cpu[0]
	o := prof.WhyOptions{Code: a.Code, AllocatesToo: c.Verdicts[2].Word == c.Word}
	whole := prof.Whole{A: cpu[0], B: cpu[1], StdErr: 0.05 * cpu[1]} // as wide as those of the comparisons were
	var err error
	if c.Why, err = prof.Why(of(a, "cpu"), of(b, "cpu"), whole, lower, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "allocs.json"))
	if err == nil {
		err = json.Unmarshal(text, &c.WhyAllocs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func of(v *advice.View, kind string) []prof.Capture { return []prof.Capture{v.Captures[kind]} }

// changedTo is a verdict that a measure is another one.
func changedTo(m judge.Measure, a, b float64) judge.Verdict {
	v := judge.Verdict{Measure: m, Word: judge.Slower, A: a, B: b, Ratio: b / a}
	if b < a {
		v.Word = judge.Faster
	}
	return v
}

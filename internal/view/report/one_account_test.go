package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// recordedRun is a run that was measured, and recorded with its trace.
type recordedRun struct {
	*facts.View
	found *advice.Findings
	// says are the lines on the time of its requests, and page the parts of both bars and the causes of its page.
	says string
	page []model.TimePart
}

func readRun(t *testing.T, path string) (r recordedRun) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		r.View, err = facts.ReadView(data)
	}
	if err == nil {
		r.found, err = advice.Find(r.View)
	}
	if err != nil {
		t.Fatal(err)
	}
	load := &record.Latency{Count: 1e6, P50: int64(r.Numbers.LatencyP50), P99: int64(r.Numbers.LatencyP99)}
	r.says = strings.Join(Traced{Load: load, Found: r.found}.waitLines(r.Waits), "\n")
	if r.Waits != nil {
		bars, causes, _ := model.TimesOf(r.Waits, r.found)
		for _, b := range bars {
			r.page = append(r.page, b.Parts...)
		}
		r.page = append(r.page, causes...)
	}
	return r
}

// What a finding of a wait says is what the trace's sentence and the page say: the same name and line, with the number
// of the finding, and as much time of the same requests.
func TestAWaitHasOneNameLineAndShareInAllViews(t *testing.T) {
	all, err := filepath.Glob("../../insight/advice/testdata/*/speaks.view")
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	waits := 0
	for _, path := range all {
		r := readRun(t, path)
		for i, f := range r.found.Findings {
			if f.Whole == 0 || f.Of != "" || f.Evidence[0].Source != "wait" {
				continue // not a wait, or one of one endpoint
			}
			if f.Rule == "long-transaction" {
				continue // all that is done in a stretch of time
			}
			if f.Rule == "n-plus-one" || f.Rule == "slow-statement" {
				share := fmt.Sprintf("%s of p50", units.Share(f.Cost))
				where := fmt.Sprintf("%s:%d (finding %d)", filepath.Base(f.Place.File), f.Place.Line, i+1)
				if !strings.Contains(r.says, share) || !strings.Contains(r.says, where) {
					t.Errorf("%s: the sentences do not say %q and %q:\n%s", path, share, where, r.says)
				}
				continue
			}
			waits++
			_, name, _ := strings.Cut(f.Evidence[0].Text, ": ")
			want := fmt.Sprintf("%s (finding %d)", name, i+1)
			if !strings.Contains(r.says, want) {
				t.Errorf("%s: the sentences do not name %q:\n%s", path, want, r.says)
			}
			if !strings.Contains(pageTexts(r.page), want) {
				t.Errorf("%s: the page does not name %q:\n%s", path, want, pageTexts(r.page))
			}
			if nanos := r.nanosAt(f); math.Abs(nanos-f.Absolute) > 0.01*f.Absolute {
				t.Errorf("%s: finding %d is of %v ns, and the parts at its line take %v", path, i+1, f.Absolute, nanos)
			}
		}
	}
	if waits < 5 {
		t.Errorf("the recorded runs have %d findings of waits: too few to say anything", waits)
	}
}

// nanosAt is what the trace says that requests wait for at the line of a finding.
func (r recordedRun) nanosAt(f advice.Finding) (nanos float64) {
	at := func(c walltime.Call) bool {
		return f.Place == code.Place{Function: c.Function, File: c.File, Line: int64(c.Line)}
	}
	waits := func(s walltime.State) bool {
		return s == walltime.Lock || s == walltime.Channel || s == walltime.Sleep || s == walltime.Network
	}
	if f.Measure == advice.Tail {
		for _, c := range r.Waits.Causes {
			if at(c.Call) && waits(c.State) {
				nanos += c.Nanos
			}
		}
		return nanos
	}
	for _, p := range r.Waits.Cohort(walltime.TypicalName).ByCause() {
		if at(p.Call) && waits(p.State) {
			nanos += p.Nanos
		}
	}
	return nanos
}

func pageTexts(parts []model.TimePart) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintln(&b, p.Text)
	}
	return b.String()
}

// A part of the time at a line whose cost a finding counts names that finding, in the sentences and on the page.
func TestPartsAtTheLineOfAFindingNameIt(t *testing.T) {
	all, err := filepath.Glob("../../insight/advice/testdata/*/speaks.view")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, path := range all {
		r := readRun(t, path)
		for _, p := range r.page {
			if p.Place == nil {
				continue
			}
			at := code.Place{Function: p.Place.Function, File: p.Place.File, Line: p.Place.Line}
			for i, f := range r.found.Findings {
				if f.Place != at {
					continue
				}
				named++
				if n := r.found.Of(at); n > i+1 || !strings.Contains(p.Text, fmt.Sprintf("(finding %d)", n)) {
					t.Errorf("%s: %q is at the line of finding %d", path, p.Text, i+1)
				}
			}
		}
	}
	if named < 10 {
		t.Errorf("%d parts are at the line of a finding: too few to say anything", named)
	}
}

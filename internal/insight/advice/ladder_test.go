package advice

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
)

func recordedView(t *testing.T, path ...string) *facts.View {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	v, err := facts.ReadView(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func find(t *testing.T, v *facts.View) *Findings {
	t.Helper()
	f, err := Find(v)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The top finding on a stage of a reference service is the step that its published ladder took next.
func TestTheTopFindingIsTheNextStep(t *testing.T) {
	for stage, want := range map[string]struct{ rules, functions string }{
		"framed-raw": {"unbuffered-writes", "writeFrame"},
		"framed-buffered": {"binary-fixed object-per-call append-growth",
			"writeFrame readFrame decodePacket encodePacket"},
		"framed-buffered-noflush": {"missing-flush", "answerBufferedNoflush"},
		"rpc-naive":               {"unbuffered-writes", "writeFields"},
		"visits-start":            {"slow-logging", "(*counterStart).ServeHTTP"},
		"chat-naive":              {"compressor-per-call", "deflateNew"},
		"tlsidle-heldbuffer":      {"idle-memory", "newScratch"},
		"havlak-first":            {"map-growth object-per-call", "(*first).Find (*first).loopAt"},
	} {
		f := find(t, recordedView(t, "ladder", stage+".view"))
		if len(f.Findings) == 0 {
			t.Errorf("%s: nothing found, want %s", stage, want.rules)
			continue
		}
		top := f.Findings[0]
		known := slices.ContainsFunc(strings.Fields(want.functions),
			func(name string) bool { return strings.HasSuffix(top.Place.Function, "."+name) })
		if !slices.Contains(strings.Fields(want.rules), top.Rule) || !known {
			t.Errorf("%s: found %s at %v, want %s in %s", stage, top.Rule, top.Place, want.rules, want.functions)
		}
	}
}

// On the last stages there is nothing left that a rule knows.
func TestTheLastStagesAreSilent(t *testing.T) {
	for _, stage := range []string{"framed-reactor", "visits-sharded", "chat-final", "tlsidle-parked"} {
		for _, f := range find(t, recordedView(t, "ladder", stage+".view")).Findings {
			t.Errorf("%s: found %s at %v: %s", stage, f.Rule, f.Place, f.Title)
		}
	}
}

// havlak's first stage makes its maps anew.
func TestMapsOfHavlak(t *testing.T) {
	f := find(t, recordedView(t, "ladder", "havlak-first.view"))
	if !slices.ContainsFunc(f.Findings, func(f Finding) bool { return f.Rule == "map-growth" }) {
		t.Errorf("no map-growth in %v", f.Findings)
	}
}

// What is said follows from the run: without the calls that the counters and the profile show, the sentence goes.
func TestAFindingFollowsFromTheRun(t *testing.T) {
	v := recordedView(t, "ladder", "framed-raw.view")
	v.Numbers.Writes, v.Numbers.Depth = 1, 1
	for _, f := range find(t, v).Findings {
		if f.Rule == "unbuffered-writes" {
			t.Errorf("with one write per request: %s", f.Title)
		}
	}
}

// Parts of the CPU time are counted once: what the findings explain is no more than all of it.
func TestFindingsExplainNothingTwice(t *testing.T) {
	all, err := filepath.Glob("testdata/*/*.view")
	if err != nil || len(all) == 0 {
		t.Fatalf("no recorded views: %v", err)
	}
	for _, path := range all {
		rel, _ := filepath.Rel("testdata", path)
		f := find(t, recordedView(t, rel))
		sum := 0.0
		for i, one := range f.Findings {
			sum += one.Explained
			if one.Cost > 1+1e-9 || one.Gain < 0 || one.Gain > 1 {
				t.Errorf("%s: finding %d gains %g of a cost of %g", rel, i+1, one.Gain, one.Cost)
			}
			known := one.GainWord == Ask || one.GainWord == About && one.Gain <= one.Cost+1e-9 &&
				(one.Measure != CPU || one.GainLow <= one.Gain && one.Gain <= one.GainHigh) ||
				one.GainWord == AtMost && one.Measure != CPU
			if grave := one.Measure == Answers || one.Measure == Growing; known == grave ||
				(one.GainWord == Ask) != (one.Gain == 0) {
				t.Errorf("%s: finding %d, %s of %s: the gain is %s %g (%g to %g) of a cost of %g", rel, i+1, one.Rule,
					one.Measure, one.GainWord, one.Gain, one.GainLow, one.GainHigh, one.Cost)
			}
			if one.Title == "" || one.Change == "" || len(one.Evidence) == 0 {
				t.Errorf("%s: finding %d lacks title, advice or evidence: %+v", rel, i+1, one)
			}
		}
		if sum > 1+1e-9 {
			t.Errorf("%s: the findings explain %g of the CPU time", rel, sum)
		}
	}
}

// The interval of a share of few samples is wide. Values of scipy.stats.binomtest(x,
// n).proportion_ci(method="wilson").
func TestTheIntervalOfAShare(t *testing.T) {
	for _, c := range []struct {
		share     float64
		n         int64
		low, high float64
	}{{0.30, 100, 0.2189, 0.3959}, {0.5, 10, 0.2366, 0.7634}, {0.05, 200, 0.0274, 0.0896}} {
		low, high := interval(c.share, c.n)
		if math.Abs(low-c.low) > 0.0005 || math.Abs(high-c.high) > 0.0005 {
			t.Errorf("%g of %d samples: %.4f to %.4f, want %.4f to %.4f", c.share, c.n, low, high, c.low, c.high)
		}
	}
}

// A recorded view names no directory of the machine that it was recorded on.
func TestRecordedViewsNameNoDirectories(t *testing.T) {
	all, _ := filepath.Glob("testdata/*/*.view")
	for _, path := range all {
		rel, _ := filepath.Rel("testdata", path)
		v := recordedView(t, rel)
		for kind, c := range v.Captures {
			for _, f := range c.Profile.Function {
				if filepath.IsAbs(f.Filename) {
					t.Errorf("%s: %s profile: %s", rel, kind, f.Filename)
				}
			}
		}
		if v.Waits != nil {
			for _, c := range v.Waits.Cohorts {
				for _, p := range c.Parts {
					if filepath.IsAbs(p.File) || p.Behind != nil && filepath.IsAbs(p.Behind.File) {
						t.Errorf("%s: wait profile: %s", rel, p.File)
					}
				}
			}
		}
	}
}

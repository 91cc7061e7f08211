package gobench

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

func TestVerdictsOnCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want judge.Word
		says string
	}{
		{"as one side scatters", []float64{1000, 1004, 1002, 1001}, []float64{1003, 1005, 1004, 1002}, judge.Same, "less than the runs of one side do"},
		{"within delta", []float64{1000, 1000.1}, []float64{1000.2, 1000.1}, judge.Same, "lies within"},
		{"4 % less", []float64{1234, 1235, 1233}, []float64{1180, 1181, 1180}, judge.Faster, "Student"},
		{"4 % more", []float64{1180, 1181, 1180}, []float64{1234, 1235, 1233}, judge.Slower, "Student"},
		{"more, but it scatters far", []float64{1000, 1300}, []float64{1100, 1350}, judge.Undecided, "the runs of one side differ by 30.0 %"},
		{"equal", []float64{7, 7}, []float64{7, 7}, judge.Same, ""},
		{"nothing on either side", []float64{0, -0.1}, []float64{0.2, 0}, judge.Same, ""},
		{"from nothing", []float64{0, 0}, []float64{50, 50}, judge.Slower, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, ok := decideCounts(measure.OperationInstructions, c.a, c.b, judge.Options{Delta: InstructionsDelta})
			if !ok || v.Word != c.want || !strings.Contains(v.Reason, c.says) {
				t.Errorf("got %s, %q", v.Word, v.Reason)
			}
			if v.Need != nil && v.Word != judge.Undecided {
				t.Errorf("%s needs %+v", v.Word, v.Need)
			}
		})
	}
	if v, ok := decideCounts(measure.OperationInstructions, []float64{1}, []float64{1, 2}, judge.Options{}); ok {
		t.Errorf("one run has the verdict %+v", v)
	}
}

// costs are those of an operation in which bench calls work once.
func costs(bench, work uint64) *callgrind.Costs {
	return callgrind.Slope(&callgrind.Profile{}, &callgrind.Profile{
		Total: bench + work, Self: map[string]uint64{"x/p.Bench": bench, "x/p.work": work},
		Calls: map[callgrind.Call]uint64{{Caller: "x/p.Bench", Callee: "x/p.work"}: 1},
	}, 1)
}

func TestFunctionsThatExplainAChange(t *testing.T) {
	b := &counted{bench: &bench{}}
	b.runs[0] = []*callgrind.Costs{costs(100, 900), costs(102, 900)}
	b.runs[1] = []*callgrind.Costs{costs(101, 1000), costs(102, 1002)}
	all, left := b.functions()
	if len(all) != 2 || left != 0 {
		t.Fatalf("listed %+v, left %d", all, left)
	}
	work, bench := all[0], all[1]
	if work.Function != "x/p.work" || !work.Shown || work.SelfA != 900 || work.SelfB != 1001 || math.Abs(work.Share-100*101/1001.) > 1e-9 {
		t.Errorf("work: %+v", work)
	}
	if bench.Shown || math.Abs(bench.InclusiveA-1001) > 1e-6 || math.Abs(bench.InclusiveB-1102.5) > 1e-6 {
		t.Errorf("bench: %+v", bench)
	}
}

func TestGatesOnFunctions(t *testing.T) {
	b := &counted{bench: &bench{}}
	b.runs[0] = []*callgrind.Costs{costs(100, 900), costs(100, 901)}
	b.runs[1] = []*callgrind.Costs{costs(100, 1000), costs(100, 1001)}
	outcomes := func(text string) ([]gate.Result, error) {
		g, err := gate.ParseOf(text, measure.OfInstructions)
		if err != nil {
			t.Fatal(err)
		}
		c := &counting{measurement: &measurement{task: Task{Test: spec.Test{Gates: []gate.Gate{g}}, Bench: spec.Bench{Instructions: true}}, result: &benchmarks.Result{Rounds: 2}}, benches: []*counted{b}}
		count := &benchmarks.InstructionCount{A: totals(b.runs[0]), B: totals(b.runs[1])}
		return c.judgeCounts(b, count, judge.Options{Delta: InstructionsDelta}), c.checkFunctions()
	}
	for text, want := range map[string]gate.Outcome{
		"instructions<+5%": gate.Failed, "instructions<+20%": gate.Passed, "instructions<=+90": gate.Failed,
		"func(x/p.work)<+5%": gate.Failed, "func(p.work)<+15%": gate.Passed, "func(x/p.Bench)<+15%": gate.Passed,
	} {
		got, err := outcomes(text)
		if err != nil || len(got) != 1 || got[0].Outcome != want {
			t.Errorf("%s: %+v, %v, want %s", text, got, err, want)
		}
	}
	_, err := outcomes("func(p.worker)<+5%")
	if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(fail.HintOf(err), "x/p.work") {
		t.Errorf("unknown function: %v (%s)", err, fail.HintOf(err))
	}
}

func TestGatesHaveToBeOnWhatIsMeasured(t *testing.T) {
	all := append([]judge.Measure{}, measure.OfBenchmarks...)
	for text, instructions := range map[string]bool{"time<+5%": true, "instructions<+5%": false, "func(main.x)<+5%": false} {
		g, err := gate.ParseOf(text, append(all, measure.OfInstructions...))
		if err != nil {
			t.Fatal(err)
		}
		err = Task{Test: spec.Test{Gates: []gate.Gate{g}}, Bench: spec.Bench{Vs: "x", Instructions: instructions}}.Validate()
		var known *fail.Error
		if !errors.As(err, &known) || known.Kind != fail.BadInput || !strings.Contains(err.Error(), text) {
			t.Errorf("%s with instructions %v: %v", text, instructions, err)
		}
	}
}

func TestTheEnvironmentUnderValgrind(t *testing.T) {
	got := valgrindSettings([]string{"GODEBUG=gctrace=0", "GOGC=50", "GODEBUG=madvdontneed=1", "GOMAXPROCS=8"})
	if text := fmt.Sprint(got); text != "[GODEBUG=madvdontneed=1,asyncpreemptoff=1 GOMAXPROCS=1]" {
		t.Errorf("got %s", text)
	}
	if text := fmt.Sprint(valgrindSettings(nil)); text != "[GODEBUG=asyncpreemptoff=1 GOMAXPROCS=1 GOGC=off GOMEMLIMIT=1GiB]" {
		t.Errorf("got %s", text)
	}
}

// Work that B does once in a process is in no operation: it stands beside fewer instructions. Starts of one binary scatter.
func TestFewerInstructionsAndALongerStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		starts [2][]float64
		want   bool
	}{
		{"as long", [2][]float64{{8.1e6, 8.15e6}, {8.12e6, 8.16e6}}, false},
		{"a table made in init", [2][]float64{{8.1e6, 8.15e6}, {18.1e6, 18.2e6}}, true},
		{"a little longer", [2][]float64{{8.1e6, 8.15e6}, {9.1e6, 9.2e6}}, false},
		{"it scatters", [2][]float64{{8.1e6, 19e6}, {18e6, 18.2e6}}, false},
		{"won back at once", [2][]float64{{8.1e3, 8.15e3}, {12.1e3, 12.2e3}}, false},
	} {
		b := &counted{bench: &bench{}, starts: c.starts}
		v, ok := decideCounts(measure.OperationInstructions, []float64{1000, 1001}, []float64{500, 501}, judge.Options{Delta: InstructionsDelta})
		if !ok || v.Word != judge.Faster {
			t.Fatalf("%+v", v)
		}
		got := b.startCaveats(v)
		if (len(got) > 0) != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.want && (got[0].Open || !strings.Contains(got[0].Text, "besides its operations")) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// A count that tests disprove has no verdict, and passes no gate.
func TestACaveatTakesTheVerdictOnInstructions(t *testing.T) {
	limit := gate.Gate{Measure: measure.OperationInstructions}
	out := benchmarks.Benchmark{Verdicts: []judge.Verdict{{Measure: measure.OperationInstructions, Word: judge.Faster}}, Gates: []gate.Result{{Gate: limit, Outcome: gate.Passed}}}
	putCaveats(&out, &bench{caveats: []record.Caveat{testsCaveat([]string{"TestX"})}})
	if out.Verdicts[0].Word != judge.Undecided || out.Gates[0].Outcome != gate.Open || len(out.Caveats) != 1 {
		t.Errorf("%+v", out)
	}
}

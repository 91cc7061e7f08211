package gobench

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/callgrind"
	"github.com/gohone/hone/internal/conduct/gobench/instructions"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// runsOf are runs of both sides.
func runsOf(a, b []float64) (runs []judge.Block) {
	for i := range a {
		runs = append(runs, instructions.RunOf(measure.OperationInstructions, a[i], b[i]))
	}
	return runs
}

// costs are those of an operation in which bench calls work once.
func costs(bench, work uint64) *callgrind.Costs {
	return callgrind.Slope(&callgrind.Profile{}, &callgrind.Profile{
		Total: bench + work, Self: map[string]uint64{"x/p.Bench": bench, "x/p.work": work},
		Calls: map[callgrind.Call]uint64{{Caller: "x/p.Bench", Callee: "x/p.work"}: 1},
	}, 1)
}

func TestGatesOnFunctions(t *testing.T) {
	b := &counted{bench: &bench{}}
	b.Runs[0] = []*callgrind.Costs{costs(100, 900), costs(100, 901)}
	b.Runs[1] = []*callgrind.Costs{costs(100, 1000), costs(100, 1001)}
	outcomes := func(text string) ([]gate.Result, error) {
		g, err := gate.ParseOf(text, measure.OfInstructions)
		if err != nil {
			t.Fatal(err)
		}
		task := Task{Test: spec.Test{Gates: []gate.Gate{g}, Delta: InstructionsDelta}, Bench: spec.Bench{Instructions: true}}
		c := &counting{measurement: &measurement{task: task, result: &benchmarks.Result{Rounds: 2}}, benches: []*counted{b}}
		c.referee = c.refereeOfRuns()
		b.Blocks = runsOf(instructions.Totals(b.Runs[0]), instructions.Totals(b.Runs[1]))
		b.NoteFunctions(task.Gates, b.Blocks)
		ruling, err := c.referee.RuleOn(&b.Contender)
		return b.GatesOf(ruling), errors.Join(err, c.checkFunctions())
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
	for text, instructions := range map[string]bool{"time<+5%": true, "instructions<+5%": false,
		"func(main.x)<+5%": false} {
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

// Work that B does once in a process is in no operation: it stands beside fewer instructions. Starts of one binary
// scatter.
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
		b := &counted{bench: &bench{}, Counts: instructions.Counts{Starts: c.starts}}
		v, err := compare.DecideRuns(measure.OperationInstructions, runsOf([]float64{1000, 1001}, []float64{500, 501}),
			judge.Options{Delta: InstructionsDelta})
		if err != nil || v.Word != judge.Faster {
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
	out := benchmarks.Benchmark{Verdicts: []judge.Verdict{{Measure: measure.OperationInstructions, Word: judge.Faster}},
		Gates: []gate.Result{{Gate: limit, Outcome: gate.Passed}}}
	putCaveats(&out, &bench{caveats: []record.Caveat{testsCaveat([]string{"TestX"})}})
	if out.Verdicts[0].Word != judge.Undecided || out.Gates[0].Outcome != gate.Open || len(out.Caveats) != 1 {
		t.Errorf("%+v", out)
	}
}

func TestFunctionsThatExplainAChange(t *testing.T) {
	b := &instructions.Counts{}
	b.Runs[0] = []*callgrind.Costs{costs(100, 900), costs(102, 900)}
	b.Runs[1] = []*callgrind.Costs{costs(101, 1000), costs(102, 1002)}
	all, left := b.Functions()
	if len(all) != 2 || left != 0 {
		t.Fatalf("listed %+v, left %d", all, left)
	}
	work, bench := all[0], all[1]
	if work.Function != "x/p.work" || !work.Shown || work.SelfA != 900 || work.SelfB != 1001 ||
		math.Abs(work.Share-100*101/1001.) > 1e-9 {
		t.Errorf("work: %+v", work)
	}
	if bench.Shown || math.Abs(bench.InclusiveA-1001) > 1e-6 || math.Abs(bench.InclusiveB-1102.5) > 1e-6 {
		t.Errorf("bench: %+v", bench)
	}
}

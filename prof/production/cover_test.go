package production

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

const (
	inRank   = "shop.example/search.rank@search/rank.go:12 < main.main@main.go:9"
	inParse  = "encoding/json.Unmarshal@decode.go:1 < shop.example/api.parse@api/parse.go:30 < main.main@main.go:9"
	inParse2 = "runtime.memmove@memmove.s:1 < shop.example/api.parse@api/parse.go:31 < main.main@main.go:9"
	inMark   = "runtime.scanobject@mgcmark.go:1 < runtime.gcBgMarkWorker@mgc.go:1"
	inMark2  = "runtime.greyobject@mgcmark.go:2 < runtime.gcDrain@mgcmark.go:3 < runtime.systemstack@asm.s:1"
)

func coverOf(t testing.TB, production, run prof.Capture, o Options) *Coverage {
	t.Helper()
	c, err := Cover([]prof.Capture{production}, []prof.Capture{run}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func covered(c *Coverage, name string) CoveredFunction {
	i := slices.IndexFunc(c.Functions, func(f CoveredFunction) bool { return f.Name() == name })
	if i < 0 {
		return CoveredFunction{}
	}
	return c.Functions[i]
}

// What the load lacks comes first; what a function calls in libraries is its own; the collector is one place.
func TestCoverByFunctionAndLine(t *testing.T) {
	production := proftest.BuildCPU().Ticks(300, inRank).Ticks(300, inParse).Ticks(300, inParse2).Ticks(60, inMark).Ticks(40,
		inMark2)
	run := proftest.BuildCPU().Ticks(600, inParse).Ticks(100, inMark)
	c := coverOf(t, capturetest.CPU(production, 0), capturetest.CPU(run, 0), Options{})
	first := c.Functions[0]
	if first.Name() != "search.rank" || first.File != "shop.example/search/rank.go" || first.Line != 12 ||
		first.Production != 30 || first.Run != 0 || !first.Beyond {
		t.Errorf("first %+v", first)
	}
	if mark := covered(c, "garbage collector"); mark.Production != 10 || math.Abs(mark.Run-100.0/7) > 1e-9 {
		t.Errorf("collector %+v", mark)
	}
	if math.Abs(c.ByFunction.Observed-70) > 1e-9 || math.Abs(c.ByLine.Observed-40) > 1e-9 {
		t.Errorf("observed %v by function, %v by line; want 70 and 40", c.ByFunction.Observed, c.ByLine.Observed)
	}
	if c.Production.Samples != 1000 || c.Run.Samples != 700 {
		t.Errorf("%v and %v samples", c.Production.Samples, c.Run.Samples)
	}
}

// One load that is profiled in other tools' ways has the same shares and the same number of samples.
func TestCoverOfOtherTools(t *testing.T) {
	const period = 52_631_579 // nanoseconds, of Parca's 19 Hz
	stacks := map[string]int64{inRank: 100, inParse: 300}
	want := proftest.BuildCPU()
	for _, stack := range []string{inRank, inParse} {
		want.Ticks(stacks[stack], stack)
	}
	for _, c := range []struct {
		name   string
		types  []string
		values func(n int64) []int64
		period int64
		kept   bool // as a CPU profile of the ledger
	}{
		{"Parca and OpenTelemetry", []string{"samples/count"}, func(n int64) []int64 { return []int64{n} }, period,
			true},
		{"Pyroscope", []string{"cpu/nanoseconds"}, func(n int64) []int64 { return []int64{n * period} }, period, true},
		{"without a period", []string{"samples/count"}, func(n int64) []int64 { return []int64{n} }, 0, false},
		{"fgprof", []string{"samples/count", "time/nanoseconds"}, func(n int64) []int64 { return []int64{n, n * 10} },
			0, false},
	} {
		b := proftest.Build(c.types...)
		for _, stack := range []string{inRank, inParse} {
			b.Sample(stack, c.values(stacks[stack])...)
		}
		if c.period > 0 {
			b.P.PeriodType.Type, b.P.PeriodType.Unit, b.P.Period = "cpu", "nanoseconds", c.period
		}
		var file bytes.Buffer
		if err := b.P.Write(&file); err != nil {
			t.Fatal(err)
		}
		read, err := prof.ReadCapture(&file, prof.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.name == "fgprof" && read.Kind != prof.FgprofKind {
			t.Errorf("fgprof is of the kind %q", read.Kind)
		}
		got := coverOf(t, read, capturetest.CPU(want, 0), Options{})
		if math.Abs(got.ByFunction.Observed-100) > 1e-9 || math.Abs(got.Production.Samples-400) > 1e-6 {
			t.Errorf("%s: %+v of %v samples", c.name, got.ByFunction, got.Production.Samples)
		}
		kept, ok := prof.AsCPU(read)
		if ok != c.kept {
			t.Errorf("%s: kept %v", c.name, ok)
		}
		if ok && (kept.Kind != "cpu" || prof.KindOf(kept.Profile) != "cpu" || kept.Profile.Sample[0].Value[0] != 100 ||
			kept.Profile.Sample[0].Value[1] != 100*period) {
			t.Errorf("%s: kept as %s %v", c.name, kept.Profile.SampleType[0].Type, kept.Profile.Sample[0].Value)
		}
	}
}

// Labels choose samples of production alone.
func TestCoverOfLabels(t *testing.T) {
	b := proftest.BuildCPU().Ticks(100, inRank).Ticks(100, inParse)
	b.P.Sample[0].Label = map[string][]string{"region": {"eu"}}
	eu, err := prof.ParseTagFilter("region=eu")
	if err != nil {
		t.Fatal(err)
	}
	run := proftest.BuildCPU().Ticks(50, inRank)
	if c := coverOf(t, capturetest.CPU(b, 0), capturetest.CPU(run, 0), Options{TagFocus: eu}); c.ByFunction.Observed != 100 {
		t.Errorf("%+v", c.ByFunction)
	}
	if c := coverOf(t, capturetest.CPU(b, 0), capturetest.CPU(run, 0), Options{TagIgnore: eu}); c.ByFunction.Observed != 0 {
		t.Errorf("%+v", c.ByFunction)
	}
}

func TestCoverRefuses(t *testing.T) {
	cpu := capturetest.CPU(proftest.BuildCPU().Ticks(5, inRank), 0)
	heap := prof.Capture{Kind: "heap", Profile: proftest.Build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count",
		"inuse_space/bytes").Sample(inRank, 1, 2, 3, 4).P}
	for want, of := range map[string][2][]prof.Capture{
		"production: it is a profile of the kind heap": {{heap}, {cpu}},
		"run: none of its sample types is CPU time": {{cpu},
			{{Profile: proftest.Build("inuse_space/bytes").Sample(inRank, 1).P}}},
		"run: there is no profile":                   {{cpu}, nil},
		"production: no profile":                     {{{}}, {cpu}},
		"production: no sample of the program's own": {{capturetest.CPU(proftest.BuildCPU(), 0)}, {cpu}},
		"production: it has negative values":         {{capturetest.CPU(proftest.BuildCPU().Ticks(-5, inRank), 0)}, {cpu}},
		"production: profiles in nanoseconds and in co": {{cpu, {Profile: proftest.Build("samples/count").Sample(inRank, 3).P}},
			{cpu}},
	} {
		if _, err := Cover(of[0], of[1], Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Of few samples it is not said what they have in common, but for how long to profile instead.
func TestCoverTakesEnoughSamples(t *testing.T) {
	enough, few := capturetest.CPU(proftest.BuildCPU().Ticks(50, inRank), 0), capturetest.CPU(proftest.BuildCPU().Ticks(11, inRank), 0)
	few.Duration = 2 * time.Second
	for side, of := range map[string][2]prof.Capture{"production": {few, enough}, "run": {enough, few}} {
		_, err := Cover([]prof.Capture{of[0]}, []prof.Capture{of[1]}, Options{})
		var e *TooFewSamples
		if !errors.As(err, &e) || e.Side != side || e.Samples != 11 || e.Enough() != 14*time.Second {
			t.Errorf("%s: %v", side, err)
		}
	}
	coverOf(t, enough, enough, Options{})
}

// With itself a profile has everything in common, the order of the sides does not matter, nor how long a profile is.
func TestCoverProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stacks := []string{inRank, inParse, inParse2, inMark, inMark2}
		draw := func(name string, scale int64) (*proftest.Builder, *proftest.Builder) {
			one, scaled := proftest.BuildCPU().Ticks(50, inRank), proftest.BuildCPU().Ticks(50*scale, inRank)
			for _, stack := range stacks {
				n := rapid.Int64Range(0, 200).Draw(t, name)
				one.Ticks(n, stack)
				scaled.Ticks(n*scale, stack)
			}
			return one, scaled
		}
		a, longer := draw("a", 4)
		b, _ := draw("b", 1)
		check := func(production, run *proftest.Builder) *Coverage {
			c, err := Cover([]prof.Capture{capturetest.CPU(production, 0)}, []prof.Capture{capturetest.CPU(run, 0)}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		if self := check(a, a); math.Abs(self.ByFunction.Overlap-100) > 1e-6 ||
			math.Abs(self.ByLine.Overlap-100) > 1e-6 {
			t.Errorf("with itself: %+v", self)
		}
		ab, ba := check(a, b), check(b, a)
		if math.Abs(ab.ByFunction.Observed-ba.ByFunction.Observed) > 1e-9 {
			t.Errorf("%v and %v", ab.ByFunction.Observed, ba.ByFunction.Observed)
		}
		if ab.ByLine.Observed > ab.ByFunction.Observed+1e-9 {
			t.Errorf("lines have %v in common, functions %v", ab.ByLine.Observed, ab.ByFunction.Observed)
		}
		if got := check(longer, b); math.Abs(got.ByFunction.Observed-ab.ByFunction.Observed) > 1e-9 {
			t.Errorf("a longer profile: %v, want %v", got.ByFunction.Observed, ab.ByFunction.Observed)
		}
	})
}

// Of a capture of which the clock is known, a part by labels has a part of the clock; a side without labels stays
// whole.
func TestSelectionOfCaptures(t *testing.T) {
	b := proftest.BuildCPU().Ticks(30, inRank).Ticks(10, inParse)
	b.P.Sample[0].Label = map[string][]string{"region": {"eu"}}
	whole := capturetest.CPU(b, 100)
	whole.Clock, whole.PerRequest = 80*proftest.Tick, 4000
	eu, err := prof.ParseTagFilter("region=eu")
	if err != nil {
		t.Fatal(err)
	}
	some, err := prof.Selection{TagFocus: eu}.Captures([]prof.Capture{whole})
	if err != nil || len(some[0].Profile.Sample) != 1 || some[0].Clock != 60*proftest.Tick || some[0].PerRequest != 3000 ||
		len(b.P.Sample) != 2 {
		t.Errorf("%+v, %v", some, err)
	}
	bare := capturetest.CPU(proftest.BuildCPU().Ticks(5, inRank), 1)
	if some, err := (prof.Selection{TagFocus: eu}).Captures([]prof.Capture{bare}); err != nil || some[0].Profile != bare.Profile {
		t.Errorf("without labels: %+v, %v", some, err)
	}
	us, _ := prof.ParseTagFilter("region=us")
	if _, err := (prof.Selection{TagFocus: us}).Captures([]prof.Capture{whole}); err == nil {
		t.Error("nothing is left, and no error says so")
	}
}

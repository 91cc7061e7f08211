package chains

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/stats"
)

// stepsOf are the steps of a chain in a line each: commit, change and state.
func stepsOf(t testing.TB, c *Chain, o StepOptions) string {
	t.Helper()
	steps, err := c.Steps(o)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s..%s %+.0f%% %s\n", s.After.Hash[:3], s.Commit.Hash[:3], 100*(s.Ratio-1), s.State)
	}
	return b.String()
}

// along are points of consecutive commits with these values, after one that begins.
func along(values ...series.Value) []series.Point {
	points := []series.Point{point(0, -1, begins())}
	for i, v := range values {
		points = append(points, point(i+1, i, v))
	}
	return points
}

// Each row is the values of consecutive commits, and the steps.
func TestSteps(t *testing.T) {
	none, same := in(series.Unchanged), changed(0.1, 0.8)
	for name, c := range map[string]struct {
		points []series.Point
		want   string
	}{
		"nothing":                             {along(same, none, same, changed(-0.9, 1)), ""},
		"one that two stages showed":          {along(same, none, confirmed(3, 1.5), same), "002..003 +3% confirmed\n"},
		"one that is far beyond its interval": {along(same, changed(30, 2), same), "001..002 +30% new\n"},
		"one of one stage that may be chance": {along(same, changed(3, 2), same), ""},
		"a confirmed one under 1 %":           {along(same, confirmed(0.6, 0.1), same), ""},
		"small ones that add up": {along(same, changed(1.5, 1), changed(1.5, 1), changed(1.5, 1), changed(1.5, 1), same),
			"001..005 +6% new\n"},
		"taken back": {along(same, confirmed(5, 1), none, same, confirmed(-4.8, 1), same),
			"001..002 +5% taken back\n004..005 -5% confirmed\n"},
		"partly taken back": {along(same, confirmed(10, 1), none, confirmed(-3, 1), same),
			"001..002 +10% confirmed\n003..004 -3% confirmed\n"},
		"the last of two is taken back": {along(confirmed(5, 1), same, confirmed(10, 1), same, confirmed(-9, 1)),
			"000..001 +5% confirmed\n002..003 +10% taken back\n004..005 -9% confirmed\n"},
		"counts that come back": {along(changed(10, 0), none, changed(-9.0909090909, 0)),
			"000..001 +10% taken back\n002..003 -9% new\n"},
		"not across a change of the benchmark": {along(confirmed(5, 1), begins(), confirmed(-5, 1)),
			"000..001 +5% confirmed\n002..003 -5% confirmed\n"},
		"commits were skipped": {[]series.Point{point(0, -1, begins()), point(1, 0, same), point(9, 1, confirmed(5, 1))},
			"001..009 +5% confirmed\n"},
		"against a base that is not tracked": {[]series.Point{point(0, -1, begins()), point(9, 8, confirmed(5, 1))},
			"008..009 +5% confirmed\n"},
		"against an older base": {[]series.Point{point(0, -1, begins()), point(1, 0, same), point(2, 0, confirmed(5, 1))},
			"000..002 +5% confirmed\n"},
		"measured twice":               {append(along(same, changed(3, 1.5), same), point(2, 1, changed(3, 1.5))), "001..002 +3% confirmed\n"},
		"a second measurement refutes": {append(along(same, confirmed(3, 1.5), same), point(2, 1, changed(0, 0.5))), ""},
		"a second one at the ends of a range": {append([]series.Point{point(0, -1, begins()), point(1, 0, changed(2.5, 2)),
			point(2, 1, changed(2.5, 2))}, point(2, 0, confirmed(5, 1))), "000..002 +5% confirmed\n"},
		"both ends again, and it is there": {append(along(same, confirmed(3, 1.5), same), again(2, 1, changed(3, 1.5))),
			"001..002 +3% confirmed\n"},
		"both ends again, and it is not sure": {append(along(same, confirmed(3, 1), same), again(2, 1, changed(2, 3))),
			"001..002 +3% new\n"},
		"both ends again, and it is not there": {append(along(same, confirmed(3, 1.5), same), again(2, 1, changed(0, 1))), ""},
		"both ends of a range again": {append(along(same, changed(1.5, 1), changed(1.5, 1), changed(1.5, 1), changed(1.5, 1)),
			again(5, 1, changed(6, 2))), "001..005 +6% confirmed\n"},
		"both ends of a range again, without a result": {append(along(same, changed(1.5, 1), changed(1.5, 1),
			changed(1.5, 1), changed(1.5, 1)), again(5, 1, in(series.Failed))), "001..005 +6% new\n"},
	} {
		got := stepsOf(t, read(t, Options{}, c.points...), StepOptions{})
		if got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

// again is a point that measures the two ends of a step once more.
func again(n, base int, values ...series.Value) series.Point {
	p := point(n, base, values...)
	p.Again = true
	return p
}

// Commits between the ends of a step count where points say how many they are of, until a search finds the one.
func TestWhichCommitMadeAStep(t *testing.T) {
	points := along(changed(0, 1), confirmed(30, 2))
	points[2].Commits = 20
	step := func() Step {
		steps, err := read(t, Options{}, points...).Steps(StepOptions{Accepted: []Accepted{{Commit: numbered(7).Hash[:10]}}})
		if err != nil || len(steps) != 1 {
			t.Fatalf("%v, %v", steps, err)
		}
		return steps[0]
	}
	if s := step(); s.Between != 19 || s.Searched || s.Made().Hash != numbered(2).Hash || s.Again != nil {
		t.Errorf("%+v", s)
	}
	points = append(points, again(2, 1, changed(29, 2)), again(2, 1, in(series.Searched)))
	if s := step(); !s.Searched || s.Found != nil || s.Again == nil || !s.Confirmed {
		t.Errorf("a search without an answer: %+v", s)
	}
	commit := numbered(7)
	points[len(points)-1].Found = &commit
	if s := step(); !s.Searched || s.Made().Hash != commit.Hash || s.State != AcceptedState {
		t.Errorf("an answer: %+v", s)
	}
}

// A step keeps its identity when it is measured again, and when further commits come, and no two steps share one.
func TestAStepIsToldOnce(t *testing.T) {
	points := along(changed(0, 1), changed(30, 2), changed(0, 1))
	step := func(points ...series.Point) Step {
		steps, err := read(t, Options{}, points...).Steps(StepOptions{})
		if err != nil || len(steps) == 0 {
			t.Fatalf("%v, %v", steps, err)
		}
		return steps[0]
	}
	first := step(points...)
	again := step(append(slices.Clone(points), point(2, 1, confirmed(28, 1)), point(4, 3, changed(0, 1)))...)
	if first.ID != again.ID || first.State != New || again.State != Confirmed || !again.Confirmed {
		t.Errorf("%+v, and later %+v", first, again)
	}
	if !first.Worse || first.Better || first.Commit.Author != "author 2" || first.After.Hash != numbered(1).Hash || first.Place != 2 {
		t.Errorf("%+v", first)
	}
	faster := changed(-30, 2)
	other := step(along(changed(0, 1), faster, changed(0, 1))...)
	if other.ID == first.ID || !other.Better {
		t.Errorf("%+v", other)
	}
	rate := changed(30, 2)
	rate.Measure = "MB/s"
	beginning := begins()
	beginning.Measure = "MB/s"
	other = step(point(0, -1, beginning), point(2, 0, rate))
	if other.ID == first.ID || !other.Better {
		t.Errorf("%+v", other)
	}
}

// Entries name a commit and a benchmark, and hold until they expire. What was taken back needs none.
func TestAcceptedSteps(t *testing.T) {
	hash := numbered(2).Hash
	points := along(changed(0, 1), confirmed(30, 2), changed(0, 1))
	for name, c := range map[string]struct {
		accepted Accepted
		want     string
	}{
		"by its commit":     {Accepted{Commit: hash[:9]}, "accepted"},
		"in capitals":       {Accepted{Commit: strings.ToUpper(hash[:9])}, "accepted"},
		"by the benchmark":  {Accepted{Commit: hash, Benchmark: regexp.MustCompile("Parse$")}, "accepted"},
		"before it expires": {Accepted{Commit: hash, Until: day(11)}, "accepted"},
		"after it":          {Accepted{Commit: hash, Until: day(10)}, "confirmed"},
		"of another commit": {Accepted{Commit: numbered(1).Hash}, "confirmed"},
		"of a benchmark":    {Accepted{Commit: hash, Benchmark: regexp.MustCompile("Write")}, "confirmed"},
		"of any commit":     {Accepted{Commit: ""}, "confirmed"},
		"of too many":       {Accepted{Commit: hash[:6]}, "confirmed"},
	} {
		c.accepted.Reason = "a larger buffer"
		steps, err := read(t, Options{}, points...).Steps(StepOptions{Accepted: []Accepted{c.accepted}, Now: day(10)})
		if err != nil || len(steps) != 1 || string(steps[0].State) != c.want || !steps[0].Confirmed ||
			steps[0].Expired != (name == "after it") {
			t.Errorf("%s: %+v, %v", name, steps, err)
		}
	}
	// A range: the entry names any tracked commit of it.
	points = along(changed(0, 0.5), changed(1.5, 1), changed(1.5, 1), changed(1.5, 1), changed(1.5, 1))
	for n, want := range map[int]string{1: "new", 2: "accepted", 3: "accepted", 4: "accepted", 5: "new"} {
		got := stepsOf(t, read(t, Options{}, points...), StepOptions{Accepted: []Accepted{{Commit: numbered(n).Hash}}})
		if got != "001..004 +5% "+want+"\n" {
			t.Errorf("commit %d is accepted: %s", n, got)
		}
	}
}

// noisy is the link of a comparison of n starts, by two stages.
func noisy(r *rand.Rand, by, sigma float64) series.Value {
	stage := func(confidence, width float64) series.Value {
		const starts = 7
		x, mean := make([]float64, starts), 0.0
		for i := range x {
			x[i] = math.Log1p(by) + sigma*math.Sqrt(starts)*r.NormFloat64()
			mean += x[i] / starts
		}
		half := width * stats.StdErr(x)
		v := changed(0, 1)
		v.Ratio, v.Low, v.High, v.Confidence = math.Exp(mean), math.Exp(mean-half), math.Exp(mean+half), confidence
		return v
	}
	v := stage(0.95, stats.StudentWidth(0.05, 6))
	if v.Low > 1 || v.High < 1 {
		up := v.Low > 1
		v = stage(0.98, stats.StudentWidth(0.02, 6))
		v.Confirmed = up && v.Low > 1 || !up && v.High < 1
	}
	return v
}

// 60 commits with three planted steps, two of which are taken back: each at its commit with its state, and no other.
func TestPlantedSteps(t *testing.T) {
	const times = 40
	planted := map[int]float64{8: 0.02, 20: 0.05, 31: 0.10, 40: 1/1.05 - 1, 52: 1/1.10 - 1}
	want := map[string]int{"007..008 +2% confirmed": 0, "019..020 +5% taken back": 0, "030..031 +10% taken back": 0,
		"039..040 -5% confirmed": 0, "051..052 -9% confirmed": 0}
	others := 0
	for seed := range times {
		r := rand.New(rand.NewPCG(59, uint64(seed)))
		points := []series.Point{point(0, -1, begins())}
		level := 1.0
		for i := 1; i < 60; i++ {
			level *= 1 + planted[i]
			points = append(points, point(i, i-1, noisy(r, planted[i], 0.003)))
			if i%10 == 0 {
				points = append(points, anchored(i, 0, noisy(r, level-1, 0.003)))
			}
		}
		steps, err := read(t, Options{}, points...).Steps(StepOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			is := false
			for line := range want {
				if strings.HasPrefix(line, s.After.Hash[:3]+".."+s.Commit.Hash[:3]) && strings.HasSuffix(line, "% "+string(s.State)) &&
					math.Abs(s.Ratio-1-planted[s.Place]) < 0.015 {
					want[line]++
					is = true
				}
			}
			if !is {
				others++
				t.Logf("seed %d: %s..%s %+.1f%% %s", seed, s.After.Hash[:3], s.Commit.Hash[:3], 100*(s.Ratio-1), s.State)
			}
		}
	}
	for line, n := range want {
		t.Logf("%s: %d of %d", line, n, times)
		if n < times*8/10 {
			t.Errorf("%s: found in %d of %d series", line, n, times)
		}
	}
	if others > times/10 {
		t.Errorf("%d other steps in %d series", others, times)
	}
}

// In imported values, single runs that scatter by 2 %, a change of 10 % is found at its commit, taken back at another,
// and noise has no step in most series.
func TestStepsOfImportedValues(t *testing.T) {
	const times, n = 40, 60
	found, back, others := 0, 0, 0
	for seed := range times {
		r := rand.New(rand.NewPCG(60, uint64(seed)))
		var points []series.Point
		for i := range n {
			level := 250.0
			if i >= 20 && i < 40 {
				level *= 1.1
			}
			if seed%2 == 1 {
				level = 250
			}
			p := point(i, -1, series.Value{Name: "pkg.Parse", Measure: "time", State: series.Measured,
				Absolute: level * math.Exp(0.02*r.NormFloat64())})
			p.Imported = "data.js"
			points = append(points, p)
		}
		steps, err := read(t, Options{}, points...).Steps(StepOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			switch {
			case seed%2 == 0 && s.Place == 20 && s.State == TakenBack && s.Low < 1.1 && s.High > 1.1:
				found++
			case seed%2 == 0 && s.Place == 40 && s.Undoes != "" && s.State == New:
				back++
			default:
				others++
				t.Logf("seed %d: %+v", seed, s)
			}
		}
	}
	t.Logf("found %d, taken back %d of %d, %d others", found, back, times/2, others)
	if found < times*4/10 || back < times*4/10 || others > 6 {
		t.Errorf("found %d, taken back %d of %d, and %d other steps", found, back, times/2, others)
	}
}

// Two years of one benchmark: most commits do not touch it.
func BenchmarkTwoYears(b *testing.B) {
	r := rand.New(rand.NewPCG(59, 1))
	points := []series.Point{point(0, -1, begins())}
	for i := 1; i < 730; i++ {
		v := in(series.Unchanged)
		if i%5 == 0 {
			v = noisy(r, 0, 0.003)
		}
		points = append(points, point(i, i-1, v))
		if i%10 == 0 {
			points = append(points, anchored(i, 0, noisy(r, 0, 0.003)))
		}
	}
	for b.Loop() {
		if _, err := read(b, Options{}, points...).Steps(StepOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

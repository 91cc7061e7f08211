package chains

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/store/series"
)

// day is the time of the n-th commit.
func day(n int) time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// numbered is the n-th commit of a branch.
func numbered(n int) series.Commit {
	return series.Commit{Hash: fmt.Sprintf("%03d%037d", n, n), Time: day(n), Author: fmt.Sprintf("author %d", n)}
}

// point is one of commit n against base; no base if that is negative.
func point(n, base int, values ...series.Value) series.Point {
	p := series.Point{Branch: "main", Subject: "bench", Commit: numbered(n), Values: values}
	if base >= 0 {
		b := numbered(base)
		p.Base = &b
	}
	return p
}

func anchored(n, base int, values ...series.Value) series.Point {
	p := point(n, base, values...)
	p.Anchor = true
	return p
}

func begins() series.Value {
	return series.Value{Name: "pkg.Parse", Measure: "time", Unit: "ns", State: series.Begins}
}

func in(s series.State) series.Value {
	return series.Value{Name: "pkg.Parse", Measure: "time", State: s}
}

// changed is a measured value, in percent: by how much, and half the width of the interval.
func changed(by, half float64) series.Value {
	log := math.Log1p(by / 100)
	return series.Value{Name: "pkg.Parse", Measure: "time", State: series.Measured, Ratio: math.Exp(log),
		Low: math.Exp(log - half/100), High: math.Exp(log + half/100), Confidence: 0.95}
}

func confirmed(by, half float64) series.Value {
	v := changed(by, half)
	v.Confirmed = true
	return v
}

// read reads one chain.
func read(t testing.TB, o Options, points ...series.Point) *Chain {
	t.Helper()
	all, _, err := Read(points, o)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d chains, %v", len(all), err)
	}
	return all[0]
}

// told is a chain in a line for each place: segment, value and notes.
func told(c *Chain) string {
	var b strings.Builder
	for _, p := range c.Places {
		fmt.Fprintf(&b, "%s %d", p.Commit.Hash[:3], p.Segment)
		if p.Value != nil {
			fmt.Fprintf(&b, " %.3f", p.Value.Ratio)
			if p.Value.High > 0 {
				fmt.Fprintf(&b, " +-%.1f%%", 50*math.Log(p.Value.High/p.Value.Low))
			}
		} else {
			fmt.Fprintf(&b, " %s", p.State)
		}
		for _, n := range p.Notes {
			fmt.Fprintf(&b, "; %s", n.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Each row is a series, and what its chain says.
func TestChains(t *testing.T) {
	for name, c := range map[string]struct {
		points []series.Point
		want   string
	}{
		"links add up": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(10, 3)), point(2, 1, in(series.Unchanged)),
				point(3, 2, changed(-50, 4))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-3.0%\n002 0 1.100 +-3.0%\n003 0 0.550 +-5.0%\n",
		},
		"written in another order": {
			[]series.Point{point(3, 2, changed(10, 1)), point(1, 0, changed(10, 1)), point(0, -1, begins()), point(2, 1, changed(10, 1))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-1.0%\n002 0 1.210 +-1.4%\n003 0 1.331 +-1.7%\n",
		},
		"an anchor bounds the drift": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(0, 3)), point(2, 1, changed(0, 3)), anchored(2, 0, changed(0, 3))},
			"000 0 1.000 +-0.0%\n001 0 1.000 +-2.4%\n002 0 1.000 +-2.4%\n",
		},
		"an anchor that is not tracked bounds it from its second time on": {
			[]series.Point{point(10, -1, begins()), anchored(10, 5, changed(20, 0.01)), point(11, 10, changed(0, 3)),
				anchored(11, 5, changed(20, 0.01))},
			"010 0 1.000 +-0.0%\n011 0 1.000 +-3.0%\n",
		},
		"and later": {
			[]series.Point{point(10, -1, begins()), point(11, 10, changed(0, 3)), anchored(11, 5, changed(20, 0.01)),
				point(12, 11, changed(0, 3)), anchored(12, 5, changed(20, 0.01))},
			"010 0 1.000 +-0.0%\n011 0 1.000 +-3.0%\n012 0 1.000 +-3.0%\n",
		},
		"an anchor that contradicts": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(0, 1)), anchored(1, -1), point(2, 1, changed(0, 1)),
				anchored(2, 0, changed(10, 1))},
			"000 0 1.000 +-0.0%\n001 0 1.032 +-6.3%\n002 0 1.066 +-8.8%; against commit 0000000000 it was measured as " +
				"+8.9 ... +11.1 %; by the chain it is -1.4 ... +1.4 %: one of them is wrong by more than its interval, and the " +
				"interval of the value is wider for it\n",
		},
		"two points for one commit": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(10, 2)), point(1, 0, changed(10, 2))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-1.4%; 2 measurements against commit 0000000000 are combined\n",
		},
		"the benchmark changed": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(10, 2)), point(2, 1, begins()), point(3, 2, changed(20, 2))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-2.0%\n002 1 1.000 +-0.0%; the benchmark is new, or changed itself: what follows " +
				"is not comparable with what was before\n003 1 1.200 +-2.0%\n",
		},
		"removed, failed, and there again": {
			[]series.Point{point(0, -1, begins()), point(1, 0, in(series.Failed)), point(2, 1, in(series.Removed)),
				point(3, 0, changed(20, 2))},
			"000 0 1.000 +-0.0%\n001 0 failed\n002 0 removed\n003 0 1.200 +-2.0%\n",
		},
		"as hone track begins: the first commit is not measured": {
			[]series.Point{point(0, -1), point(1, 0, changed(10, 3)), point(2, 1, in(series.Unchanged)), anchored(2, 0, changed(10, 3))},
			"001 0 1.100 +-2.1%\n002 0 1.100 +-2.1%\n",
		},
		"failed once, and an anchor later": {
			[]series.Point{point(0, -1), point(1, 0, changed(10, 1)), point(2, 1, in(series.Failed)), point(3, 2, changed(0, 1)),
				point(4, 3, changed(0, 1)), anchored(4, 0, changed(32, 1)), point(5, 4, changed(0, 1))},
			"001 0 1.100 +-1.0%\n002 0 failed\n003 1 1.000 +-1.0%; commit 0020000000, which it was measured against, has no value in " +
				"the series: what follows is not connected with what was before\n004 0 1.320 +-1.0%; the measurement against commit " +
				"0000000000 connects it again with what was before\n005 0 1.320 +-1.4%\n",
		},
		"no interval once": { // nothing is known of the commit, nor of those after it
			[]series.Point{point(0, -1), point(1, 0, changed(10, 1)), point(2, 1, in(series.Unknown)), point(3, 2, changed(0, 1))},
			"001 0 1.100 +-1.0%\n002 0 unknown\n003 0 measured\n",
		},
		"no interval once, and an anchor later": { // which says what both have
			[]series.Point{point(0, -1), point(1, 0, changed(10, 1)), point(2, 1, in(series.Unknown)), point(3, 2, changed(20, 1)),
				point(4, 3, changed(0, 1)), anchored(4, 0, changed(32, 1)), point(5, 4, changed(0, 1))},
			"001 0 1.100 +-1.0%\n002 0 1.100 +-1.7%\n003 0 1.320 +-1.4%\n004 0 1.320 +-1.0%\n005 0 1.320 +-1.4%\n",
		},
		"never an interval": {
			[]series.Point{point(0, -1), point(1, 0, in(series.Unknown)), point(2, 1, in(series.Unknown))},
			"001 0 unknown\n002 0 unknown\n",
		},
		"the benchmark is younger than the anchor": {
			[]series.Point{point(5, -1, begins()), point(6, 5, changed(20, 2)), anchored(6, 0, begins())},
			"005 0 1.000 +-0.0%\n006 0 1.200 +-2.0%\n",
		},
		"a branch that was pushed anew goes on from its base": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(10, 2)), point(2, 1, changed(10, 2)), point(3, 1, changed(0, 2))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-2.0%\n002 0 1.210 +-2.8%\n003 0 1.100 +-2.8%; measured against commit 0010000000, " +
				"and not against 0020000000 before it\n",
		},
		"a base that is not in the series": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(10, 2)), point(9, 8, changed(10, 2)), point(10, 9, changed(10, 2))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-2.0%\n009 1 1.100 +-2.0%; commit 0080000000, which it was measured against, has no " +
				"value in the series: what follows is not connected with what was before\n010 1 1.210 +-2.8%\n",
		},
		"a base that is not in the series, and an anchor that is": {
			[]series.Point{point(0, -1, begins()), point(1, 0, changed(10, 2)), point(9, 8, changed(1, 2)), anchored(9, 0, changed(10, 2)),
				point(10, 9, changed(0, 0.1))},
			"000 0 1.000 +-0.0%\n001 0 1.100 +-2.0%\n009 0 1.100 +-2.0%; measured against commit 0080000000, and not against " +
				"0010000000 before it; commit 0080000000, which it was measured against, has no value in the series: the chain " +
				"goes on from commit 0000000000\n010 0 1.100 +-2.0%\n",
		},
		"what is no ratio": {
			[]series.Point{point(0, -1, begins()), point(1, 0, in(series.Measured)), point(2, 0, changed(10, 2)), point(3, 3, changed(1, 1)),
				point(4, -1, changed(1, 1)), point(5, 2, changed(0, 0))},
			"000 0 1.000 +-0.0%\n001 0 measured; ratio 0 (0 ... 0, confidence 0): no ratio over 0 with an interval around it\n" +
				"002 0 1.100 +-2.0%\n003 0 measured; the commit was measured against itself\n" +
				"004 0 measured; a ratio without the commit that it was measured against\n005 0 1.100 +-2.0%\n",
		},
	} {
		got := told(read(t, Options{}, c.points...))
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// The order is that of bases, whatever clocks say, and a circle ends.
func TestOrder(t *testing.T) {
	early := point(2, 1, changed(10, 1))
	early.Commit.Time = day(-50)
	all, notes, err := Read([]series.Point{point(0, -1, begins()), early, point(1, 0, changed(10, 1))}, Options{})
	if err != nil || len(notes) != 1 || notes[0].Kind != ClockDiffers || all[0].Places[2].Commit.Hash != numbered(2).Hash {
		t.Errorf("%+v, %v, %v", all[0].Places, notes, err)
	}
	all, notes, err = Read([]series.Point{point(0, 2, changed(0, 1)), point(1, 0, changed(0, 1)), point(2, 1, changed(0, 1))}, Options{})
	if err != nil || len(all[0].Places) != 3 || !slices.ContainsFunc(notes, func(n Note) bool { return n.Kind == OrderUnclear }) {
		t.Errorf("a circle: %+v, %v, %v", all[0].Places, notes, err)
	}
	if _, _, err := Read(nil, Options{Confidence: 2}); err == nil {
		t.Error("confidence 2")
	}
}

// Whatever the order in which the points are written, and however often, the chain is the same.
func TestTheOrderOfWritingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		points := []series.Point{point(0, -1, begins())}
		for i := 1; i < rapid.IntRange(2, 15).Draw(r, "commits"); i++ {
			base := max(0, i-rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(r, "back"))
			points = append(points, point(i, base, changed(rapid.Float64Range(-5, 5).Draw(r, "change"), 1)))
			if i%5 == 0 {
				points = append(points, anchored(i, 0, changed(1, 1)))
			}
		}
		for i := range points {
			points[i].ID = fmt.Sprint(i)
		}
		want := told(read(t, Options{}, points...))
		shuffled := append(slices.Clone(points), points...)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := told(read(t, Options{}, shuffled...)); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	})
}

// A step at, or after, a commit of which nothing is known is found all the same, and none where there is none.
func TestStepsAcrossACommitOfWhichNothingIsKnown(t *testing.T) {
	points := func(at, after float64) []series.Point {
		return []series.Point{point(0, -1), point(1, 0, changed(0, 1)), point(2, 1, in(series.Unknown)), point(3, 2, changed(after, 1)),
			point(4, 3, changed(0, 1)), anchored(4, 0, changed(100*((1+at/100)*(1+after/100)-1), 1))}
	}
	for _, is := range []struct {
		at, after float64
		want      string
	}{{0, 0, ""}, {20, 0, "000-004 "}, {0, 20, "002-003 "}} {
		steps, err := read(t, Options{}, points(is.at, is.after)...).Steps(StepOptions{})
		got := ""
		for _, s := range steps {
			got += s.After.Hash[:3] + "-" + s.Commit.Hash[:3] + " "
		}
		if err != nil || got != is.want {
			t.Errorf("%+v: %s, %v", is, got, err)
		}
	}
}

// A commit that is no longer on the branch keeps its value; steps are not looked for there.
func TestCommitsThatAreGone(t *testing.T) {
	gone := Options{Gone: func(_, hash string) bool { return hash == numbered(2).Hash }}
	c := read(t, gone, point(0, -1, begins()), point(1, 0, changed(0, 1)), point(2, 1, confirmed(50, 1)), point(3, 1, changed(0, 1)))
	steps, err := c.Steps(StepOptions{})
	if err != nil || len(steps) != 0 || !c.Places[2].Gone || c.Places[2].Value == nil || len(c.Places[3].Notes) != 0 {
		t.Errorf("%v, %v\n%s", steps, err, told(c))
	}
	c = read(t, Options{}, point(0, -1, begins()), point(1, 0, changed(0, 1)), point(2, 1, confirmed(50, 1)), point(3, 1, changed(0, 1)))
	if steps, _ = c.Steps(StepOptions{}); len(steps) != 2 || steps[0].State != TakenBack {
		t.Errorf("without Gone: %+v", steps)
	}
}

// Imported values are a chain of their own, for each format and machine, and no links of anything.
func TestImportedValuesAreApart(t *testing.T) {
	value := func(v float64) series.Value {
		return series.Value{Name: "pkg.Parse", Measure: "time", State: series.Measured, Absolute: v}
	}
	points := []series.Point{point(0, -1, begins()), point(1, 0, changed(10, 1))}
	for i, machine := range []string{"a", "a", "b", "a"} {
		p := point(i, -1, value(float64(100+10*i)))
		p.Imported, p.Machine = "data.js", machine
		points = append(points, p)
	}
	all, _, err := Read(points, Options{})
	if err != nil || len(all) != 3 {
		t.Fatalf("%d chains, %v", len(all), err)
	}
	if got := told(all[0]); !all[0].Paired() || got != "000 0 1.000 +-0.0%\n001 0 1.100 +-1.0%\n" {
		t.Errorf("measured:\n%s", got)
	}
	if got := told(all[1]); all[1].Paired() || all[1].Machine != "a" || got != "000 0 1.000\n001 0 1.100\n003 0 1.300\n" {
		t.Errorf("imported:\n%s", got)
	}
	for _, p := range append(all[1].Places, all[2].Places...) {
		if p.Link != nil || p.Base != nil {
			t.Errorf("%+v has a link", p)
		}
	}
}

// All that is said can be written as JSON.
func TestChainsAreJSON(t *testing.T) {
	c := read(t, Options{}, point(0, -1, begins()), point(1, 0, changed(10, 3)), point(2, 1, in(series.Failed)))
	text, err := json.Marshal(c)
	if err != nil || !strings.Contains(string(text), `"link":{"ratio":1.1`) {
		t.Errorf("%s, %v", text, err)
	}
}

// FuzzRead: whatever a store holds, each point has its place in a chain, and no number is none.
func FuzzRead(f *testing.F) {
	f.Add(uint64(1), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add(uint64(59), []byte{200, 13, 7, 99, 3, 3, 3, 250, 0, 1, 88})
	f.Fuzz(func(t *testing.T, seed uint64, raw []byte) {
		if len(raw) > 200 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 1))
		odd := []float64{0, -1, math.NaN(), math.Inf(1), 1e300, 1e-300, 1, 1.02, 0.98, 1.5}
		states := []series.State{series.Measured, series.Measured, series.Unchanged, series.Begins, series.Removed, series.Failed, series.Unknown, "?"}
		var points []series.Point
		for _, b := range raw {
			v := changed(r.NormFloat64(), 1)
			v.State = states[int(b)%len(states)]
			v.Confirmed = b%5 == 0
			v.Absolute = odd[r.IntN(len(odd))]
			for _, at := range []*float64{&v.Ratio, &v.Low, &v.High, &v.Confidence} {
				if b%3 == 0 && r.IntN(2) == 0 {
					*at = odd[r.IntN(len(odd))]
				}
			}
			p := point(int(b)%23, int(b)/16-1, v)
			p.Anchor = b%4 == 1
			if b%11 == 0 {
				p.Imported = "x"
			}
			points = append(points, p)
		}
		all, _, err := Read(points, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			steps, err := c.Steps(StepOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range c.Places {
				if v := p.Value; v != nil && (math.IsNaN(v.Ratio) || math.IsNaN(v.Low) || math.IsNaN(v.High)) {
					t.Errorf("%+v", p)
				}
			}
			if _, err := json.Marshal([]any{c, steps}); err != nil {
				t.Error(err)
			}
			for _, s := range steps {
				if s.ID == "" || s.State == "" || s.Place < 0 {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}

package bisect

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	search "github.com/gohone/hone/internal/store/commitsearch"
	honegit "github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/judge"
)

// What was measured is not measured again, and a repository without a window has no trials.
func TestMissing(t *testing.T) {
	c := config{n: 5, seed: 1, only: []string{"a/a", "b/b"}}
	if got, want := c.missing(nil), []trial{{"a/a", 0}, {"b/b", 0}, {"a/a", 1}, {"b/b", 1}, {"a/a", 2}}; !slices.Equal(got, want) {
		t.Errorf("missing are %v", got)
	}
	records := []record{{Repo: "a/a", Draw: &draw{Seed: 1, I: 1}}, {Repo: "b/b", Draw: &draw{Seed: 2}}}
	if got, want := c.missing(records), []trial{{"a/a", 0}, {"b/b", 0}, {"b/b", 1}, {"a/a", 2}}; !slices.Equal(got, want) {
		t.Errorf("missing are %v", got)
	}
	records = append(records, record{Repo: "b/b", Window: &window{Reason: "none is calm"}})
	if got, want := c.missing(records), []trial{{"a/a", 0}, {"a/a", 2}, {"a/a", 3}, {"a/a", 4}}; !slices.Equal(got, want) {
		t.Errorf("missing are %v", got)
	}
}

// The same seed draws the same, and of many draws the parts and sizes are those that were asked for.
func TestDrawn(t *testing.T) {
	library, service := corpus.SubjectOf("tidwall/gjson"), corpus.SubjectOf("traefik/whoami")
	const n = 4000
	var none, broken, second, allocs, back float64
	var logs float64
	for i := range n {
		d := drawn(library, 1, i, 200)
		if d != drawn(library, 1, i, 200) {
			t.Fatalf("%d is drawn anew", i)
		}
		none += count(d.Size == 0)
		broken += count(d.Broken > 0)
		second += count(d.Second != 0)
		back += count(d.Second < 0)
		allocs += count(d.Measure == "allocs")
		if d.Measure == "time" && d.Size > 0 {
			logs += math.Log(d.Size)
		}
		ends := d.Broken > 0 && (d.BrokenFrom < 1 || d.BrokenFrom+d.Broken > 200)
		if ends || d.Size > 0 && (d.At < 1 || d.At > 200) || d.Second != 0 && math.Abs(d.Second) > d.Size/2 || d.Second < 0 && d.SecondAt < d.At {
			t.Errorf("%+v", d)
		}
		if m := drawn(service, 1, i, 200).Measure; m != "cpu" {
			t.Errorf("a service has %s", m)
		}
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"nothing planted", none / n, noPart}, {"broken", broken / n, brokenPart}, {"second", second / n, secondPart * (1 - noPart)},
		{"taken back", back / n, secondPart * (1 - noPart) / 4}, {"allocs", allocs / n, allocsPart},
	} {
		if sd := math.Sqrt(c.want * (1 - c.want) / n); math.Abs(c.got-c.want) > 4*sd {
			t.Errorf("%s: %.3f, want %.3f", c.what, c.got, c.want)
		}
	}
	if mean := math.Exp(logs / (n * (1 - noPart) * (1 - allocsPart))); math.Abs(mean/math.Sqrt(leastSize*mostSize)-1) > 0.15 {
		t.Errorf("the geometric mean of the sizes is %.4f", mean)
	}
}

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// An answer is right if it names the commit, and no other that could be told apart from it.
func TestRight(t *testing.T) {
	changes := map[int]bool{3: true, 4: true, 6: true, 7: true, 8: true}
	one, broken, none := draw{Size: 0.1, At: 4}, draw{Size: 0.1, At: 6, BrokenFrom: 5, Broken: 3}, draw{}
	for _, c := range []struct {
		d       draw
		stopped string
		places  []int
		want    bool
	}{
		{one, "found", []int{4}, true}, {one, "found", []int{3}, false}, {one, "found", []int{4, 5}, true}, {one, "found", []int{3, 4}, false}, {one, nothing, nil, false},
		{one, timedOut, nil, false},
		{broken, "found", []int{5, 6, 7, 8}, true}, {broken, "found", []int{8}, false}, {broken, "found", []int{5, 6, 7, 8, 3}, false},
		{none, nothing, nil, true}, {none, "found", []int{4}, false}, {none, "not sure that there is anything to find", nil, false},
	} {
		if got := c.d.right(answer{Stopped: c.stopped, Places: c.places}, changes); got != c.want {
			t.Errorf("%v: %s %v is right: %v", c.d, c.stopped, c.places, got)
		}
	}
	// The first commit that builds again is told apart if the planted one is not broken.
	if (draw{Size: 0.1, At: 4, BrokenFrom: 5, Broken: 3}).right(answer{Places: []int{4, 5, 6, 7, 8}}, changes) {
		t.Error("a commit that builds is not one of those that may be it")
	}
}

// A part of a history is refused where its ends differ, and it stays open where that may be noise.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		said       honecli.Said
		err        error
		fine, open bool
	}{
		{said: honecli.Said{Word: judge.Same, Ratio: 1.005, Low: 0.998, High: 1.009}, fine: true},
		{said: honecli.Said{Word: judge.Undecided, Ratio: 0.995, Low: 0.96, High: 1.03}, fine: true},
		{said: honecli.Said{Word: judge.Undecided, Ratio: 1.015, Low: 0.98, High: 1.05}, open: true},
		{said: honecli.Said{Word: judge.Undecided, Ratio: 1.015, Low: 0.999, High: 1.018}},
		{said: honecli.Said{Word: judge.Slower, Ratio: 1.005, Low: 1.001, High: 1.009}},
		{said: honecli.Said{Word: judge.Undecided, Ratio: 1, Low: 0.9, High: 1.1, Reason: "the benchmark itself differs"}},
		{err: errors.New("no module"), open: true},
	} {
		if reason, open := refusal(c.said, c.err); (reason == "") != c.fine || open != c.open {
			t.Errorf("%+v: %q, open %v", c.said, reason, open)
		}
	}
}

// The answer has what hone writes, with commits as places.
func TestAnswer(t *testing.T) {
	slower := &judge.Verdict{Word: judge.Slower, Ratio: 1.05, Low: 1.04, High: 1.06}
	text, err := json.Marshal(search.Result{
		Schema: search.Schema, Stopped: search.Found, Quiet: 3, Whole: &search.Whole{Verdict: &judge.Verdict{Ratio: 1.06}}, Elapsed: time.Minute,
		Steps:  []search.Step{{Commits: []honegit.Commit{{Hash: "aa"}, {Hash: "bb"}}, Verdict: slower}},
		Probes: []search.Trial{{Took: 20 * time.Second}, {Took: 10 * time.Second, Skipped: "does not build"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b honecli.Bisection
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	var got answer
	got.read(b, map[string]int{"aa": 7, "bb": 8})
	want := answer{Stopped: string(search.Found), Places: []int{7, 8}, Confirmed: true, Ratio: 1.05, Low: 1.04, High: 1.06, Whole: 1.06, Quiet: 3, Probes: 2, Skipped: 1, Seconds: 60, Probing: 30}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if nothing != string(search.Nothing) {
		t.Errorf("hone says %q where there is nothing", search.Nothing)
	}
}

// The sum of the changes is planted: the second one in proportion to the first.
func TestPlanted(t *testing.T) {
	d := draw{Measure: "time", Size: 0.10, At: 3, Second: -0.04, SecondAt: 5}
	for at, want := range []int{0, 0, 0, 100, 100, 60, 60} {
		if got := d.planted(at, 100); got.Iterations != want || got.Allocations != 0 {
			t.Errorf("at %d: %+v", at, got)
		}
	}
	d = draw{Measure: "allocs", Size: 2, At: 3, Second: 1, SecondAt: 1}
	for at, want := range []int{0, 1, 1, 3} {
		if got := d.planted(at, 0); got.Allocations != want || got.Iterations != 0 {
			t.Errorf("at %d: %+v", at, got)
		}
	}
}

// The document counts right answers by what was planted, and says which were wrong.
func TestDocument(t *testing.T) {
	const repo = "tidwall/gjson"
	records := []record{
		{Repo: repo, Window: &window{Commits: 200, Said: &honecli.Said{Ratio: 1.001}}},
		{Repo: "gorilla/mux", Window: &window{Reason: "none is calm"}},
	}
	add := func(d draw, a answer) {
		d.Commits = 200
		records = append(records, record{Repo: repo, Draw: &d, Answer: &a})
	}
	for i := range 20 {
		add(draw{I: i, Measure: "time", Size: 0.08, At: 7}, answer{Stopped: "found", Places: []int{7}, Right: i > 0, Confirmed: true, Probes: 9, Seconds: 240, Probing: 180})
	}
	add(draw{Measure: "cpu", Size: 0.03, At: 7, Second: -0.01, SecondAt: 9}, answer{Stopped: timedOut, Seconds: 1800, Probes: 20})
	add(draw{Measure: "allocs", Size: 2, At: 7}, answer{Stopped: "found", Right: true, Seconds: 60})
	records = append(records, record{Repo: repo, Draw: &draw{Commits: 199, Measure: "allocs", Size: 2}, Answer: &answer{Right: true, Seconds: 9999, Probes: 99}})
	add(draw{Measure: "time"}, answer{Stopped: nothing, Right: true, Seconds: 30})
	res := &bed.Result{}
	document(res, records)
	for _, line := range []string{
		"slower by 5 % and more: 19 of 20, 95.0 % (76.4 ... 99.1); goal at least 95 %: held",
		"slower by 2 to 5 %: 0 of 1, 0.0 % (0.0 ... 79.3); goal at least 90 %: missed",
		"allocations: 2 of 2", "nothing is what it says: 1 of 1",
		"4.0 (1.0 .. 30.0) min among 200 (200 .. 200) commits, n = 22; goal 10 min at most for 1,000 commits: held",
		"9 (0 .. 20), n = 22; goal 14 at most, as a median: held",
		"none is calm", "+0.10 %",
		"200 commits, cpu +3.0 % at 7, cpu -1.0 % at 9", "time limit",
	} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
}

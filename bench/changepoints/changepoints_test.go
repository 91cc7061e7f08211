package changepoints

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/store/history"
)

// Each change takes one point, the closest, and a point 6 values away finds nothing.
func TestHits(t *testing.T) {
	for _, c := range []struct {
		truth, found []int
		want         int
	}{
		{[]int{50}, []int{45}, 1}, {[]int{50}, []int{56}, 0}, {[]int{50}, []int{48, 52}, 1},
		{[]int{50, 54}, []int{52}, 1}, {[]int{50, 54}, []int{53, 51}, 2}, {nil, []int{3}, 0}, {[]int{3}, nil, 0},
	} {
		if got := hits(c.truth, c.found); got != c.want {
			t.Errorf("changes %v, points %v: %d hits, want %d", c.truth, c.found, got, c.want)
		}
	}
}

// Scores that the authors of the dataset published (alan-turing-institute/TCPDBench,
// analysis/output/scores/default_f1_scores.json): of no points in children_per_woman and centralia, and of ecp in bank,
// where no one saw a change: that of 11 points wherever they are.
func TestAnnotatedAgreesWithPublishedScores(t *testing.T) {
	women := [][]int{{146, 177}, {146}, {145, 168}, {146, 170, 180, 197}, {146, 170}}
	centralia := [][]int{{3, 12}, {}, {12}, {4, 8, 12}, {}}
	for _, c := range []struct {
		name   string
		truths [][]int
		found  []int
		want   float64
	}{
		{"children_per_woman", women, nil, 0.5074626865671642},
		{"centralia", centralia, nil, 0.7628865979381444},
		{"bank", [][]int{{}, {}, {}, {}, {}}, []int{31, 61, 91, 121, 151, 181, 211, 241, 271, 301, 331},
			0.15384615384615385},
	} {
		if got := annotated(c.truths, c.found).f1(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: F1 %v, published %v", c.name, got, c.want)
		}
	}
}

// Only the newest values count, and only changes within them.
func TestNewest(t *testing.T) {
	s := series{Values: make([]float64, history.ChangeWindow+30), Truths: [][]int{{10, 30, 31, 90}, {}}}.newest()
	if len(s.Values) != history.ChangeWindow || !slices.Equal(s.Truths[0], []int{1, 60}) || len(s.Truths[1]) != 0 {
		t.Errorf("%d values, changes %v", len(s.Values), s.Truths)
	}
}

// A step is where it is, and equal values have no change.
func TestByHone(t *testing.T) {
	step := series{Name: "step"}
	for i := range 40 {
		step.Values = append(step.Values, 100+float64(i*7%5)+20*float64(i/20))
	}
	flat := series{Name: "flat", Values: slices.Repeat([]float64{3}, 40)}
	for _, c := range []struct {
		series
		want []int
	}{{step, []int{20}}, {flat, nil}} {
		if at, err := c.byHone(); err != nil || !slices.Equal(at, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.Name, at, err, c.want)
		}
	}
}

// The dataset has files as these. Series of several measures, with gaps or with values that a measure cannot have, are
// left out.
func TestReadDataset(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("annotations.json", `{"good": {"7": [2], "6": []}, "gap": {"6": []}, "zero": {"6": []}, "two": {"6": []}}`)
	for name, values := range map[string]string{"good": `{"raw": [1, 2, 3.5]}`, "gap": `{"raw": [1, null]}`,
		"zero": `{"raw": [1, 0]}`, "two": `{"raw": [1]}, {"raw": [1]}`, "unknown": `{"raw": [1]}`} {
		write(filepath.Join("datasets", name, name+".json"), `{"name": "`+name+`", "series": [`+values+`]}`)
	}
	all, err := readDataset(root)
	if err != nil || len(all) != 1 || all[0].Name != "good" || !slices.Equal(all[0].Values, []float64{1, 2, 3.5}) ||
		len(all[0].Truths) != 2 || !slices.Equal(all[0].Truths[1], []int{2}) {
		t.Errorf("%+v, %v", all, err)
	}
}

// Otava gets values and settings, and has to answer for each series.
func TestOtavaIsAsked(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	python := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(python, []byte("#!/bin/sh\ncat > "+asked+"\necho '[[3], []]'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	tool := otava{python: python}
	two := []series{{Values: []float64{1, 2}}, {Values: []float64{3}}}
	found, err := tool.find(t.Context(), two, ownSettings)
	if err != nil || len(found) != 2 || !slices.Equal(found[0], []int{3}) {
		t.Errorf("%v, %v", found, err)
	}
	text, err := os.ReadFile(asked)
	if err != nil || string(text) != `{"window":50,"level":0.001,"series":[[1,2],[3]]}` {
		t.Errorf("asked %s, %v", text, err)
	}
	if _, err := tool.find(t.Context(), two[:1], ownSettings); err == nil || !strings.Contains(err.Error(), "2 of 1") {
		t.Errorf("two answers for one series: %v", err)
	}
}

// Both halves are large, a name stays in its own, and the document counts each.
func TestDocument(t *testing.T) {
	var patterns, people []result
	for i := range 40 {
		name := fmt.Sprint(i)
		step := result{series: series{Name: "step " + name, Pattern: "step", Truths: [][]int{{20}}}}
		step.found[hone], step.found[otavaLevel] = []int{22}, []int{10, 20}
		still := result{series: series{Name: "still " + name, Pattern: "still", Truths: [][]int{nil}}}
		if i < 4 {
			still.found[hone] = []int{30}
		}
		wave := result{series: series{Name: "wave " + name, Pattern: "phase_change", Truths: [][]int{{20}}}}
		patterns = append(patterns, step, still, wave)
		real := result{series: series{Name: name, Values: make([]float64, 50), Truths: [][]int{{30}, {}}}}
		real.found[hone] = []int{30}
		people = append(people, real)
	}
	if n := len(filter(patterns, func(r result) bool { return r.half() == closed })); n < 40 || n > 80 {
		t.Errorf("%d of 120 are closed", n)
	}
	res := &bed.Result{}
	document(res, patterns, people)
	for _, line := range []string{
		"without periods, all: F1 0.95 (precision 0.91, recall 1.00); for comparison: Apache Otava F1 0.00 (precision -, recall 0.00); at hone's level F1 0.67 (precision 0.50, recall 1.00)",
		"in which it sees one: 4 of 40, 10.0 % (4.0 ... 23.1); for comparison: Apache Otava 0 of 40",
		"without periods, open half: F1", "without periods, closed half: F1",
		"Turing Change Point Dataset, 40 series, all: F1 1.00 (precision 1.00, recall 1.00); for comparison: Apache Otava F1 0.86",
	} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
}

package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// The made-up search: a step at stepAt, and the places that were compared or could not be.
const stepAt, placesInAll = 41, 60

var comparedAt, skippedAt = []int{30, 45, 37, 42, 39, 40, stepAt}, []int{36, 43}

// slower is a verdict on a benchmark's time.
func slower(ratio, half float64) *judge.Verdict {
	return &judge.Verdict{Measure: measure.OperationTime, Word: judge.Slower, A: 1200, B: 1200 * ratio, Ratio: ratio,
		Low: ratio - half, High: ratio + half, Conf: 0.95,
		Method: judge.SignFlip, Starts: 12, Pairs: 120, Alpha: 0.05, Delta: 0.01}
}

// searched is what a search of 60 places says that found a step of 12 %.
func searched(id string) *commitsearch.Result {
	commits := make([]git.Commit, placesInAll)
	subjects := []string{"parse: read fields without a copy", "doc: name the limits", "server: close idle connections",
		"parse: check the length of a field before it is used, and say which line is too long"}
	for i := range commits {
		commits[i] = git.Commit{Hash: fmt.Sprintf("%08x%032x", 0x9e3779b9*uint32(i+7), i), Author: "Ada Lovelace",
			Subject: subjects[i%len(subjects)],
			Date:    time.Date(2026, 8, 3, 9, 0, 0, 0, time.UTC).AddDate(0, 0, i)}
	}
	r := &commitsearch.Result{Schema: commitsearch.Schema, ID: id, Good: commits[0], Bad: commits[placesInAll-1], GoodRef: "v1.4.0",
		BadRef: "main", Commits: 74, Quiet: 15,
		Target: &commitsearch.Target{Package: "example.com/parse", Benchmark: "Split/long", Measure: measure.OperationTime},
		Whole:  &commitsearch.Whole{Verdict: slower(1.125, 0.012), Go: [2]string{"go1.26.8", "go1.26.8"}},
		Rest:   1.004, Stopped: commitsearch.Found, Started: commits[placesInAll-1].Date,
		Elapsed: 7*time.Minute + 12*time.Second}
	for i, c := range commits {
		p := commitsearch.Point{Commit: c, Commits: 1 + i%4/3, Probability: 0.0004}
		level, half := 0.004*math.Sin(float64(i)), 0.011
		if i >= stepAt {
			level += 0.121
		}
		switch {
		case i == 0:
			p.Ratio, p.Low, p.High = 1, 1, 1
		case i == stepAt:
			p.Probability = 0.962
			fallthrough
		case slices.Contains(comparedAt, i), i == placesInAll-1:
			p.Ratio, p.Low, p.High = 1+level, 1+level-half, 1+level+half
		case slices.Contains(skippedAt, i):
			p.Skipped = "it does not build: parse/split.go:41:9: undefined: maxFields"
		}
		r.Curve = append(r.Curve, p)
	}
	for _, i := range slices.Insert(slices.Clone(comparedAt), 2, skippedAt...) {
		p := r.Curve[i]
		r.Probes = append(r.Probes, commitsearch.Trial{Commit: p.Commit, Ratio: p.Ratio, Low: p.Low, High: p.High,
			Skipped: p.Skipped, Took: 31 * time.Second})
	}
	r.Steps = []commitsearch.Step{{Commits: commits[stepAt : stepAt+1], Before: commits[stepAt-1], Probability: 0.962,
		Verdict: slower(1.121, 0.009),
		Benchmark: &benchmarks.Benchmark{Package: "example.com/parse", Name: "Split/long",
			Verdicts: []judge.Verdict{*slower(1.121, 0.009)},
			Explained: &diff.Explanation{Total: 12.1, Explained: 11, Unexplained: 1.1, Changes: []diff.Change{
				{Site: prof.Site{What: "example.com/parse.fields", Function: "example.com/parse.fields",
					File: "parse/split.go", Line: 44}, Share: 11, Low: 9.6, High: 12.4}}}},
		Command: fmt.Sprintf("hone bench --vs %s --at %s --bench '^Split$/^long$' ./parse", commits[stepAt-1].Short(),
			commits[stepAt].Short()),
		More: 2,
		Hunks: []commitsearch.Hunk{
			{File: "parse/split.go", Function: "fields", Named: true,
				Lines: diffLines("@@ -38,9 +38,12 @@\n func fields(line []byte) [][]byte {\n-\tall := make([][]byte, 0, 16)\n+\tvar all [][]byte\n \tfor len(line) > 0 {\n" +
					" \t\tat := bytes.IndexByte(line, ',')\n-\t\tall = append(all, line[:at])\n+\t\tif at > maxField {\n+\t\t\treturn nil, fmt.Errorf(\"line %d: a field of %d bytes, and the most is %d\", number, at, maxField)\n+\t\t}\n+\t\tall = append(all, bytes.Clone(line[:at]))\n \t\tline = line[at+1:]\n \t}\n \treturn all\n")},
			{File: "parse/split.go",
				Lines: diffLines("@@ -12,3 +12,5 @@\n import \"bytes\"\n \n+const maxField = 1 << 16\n+\n")},
			{File: "parse/reader.go", Function: "(*Reader).Next",
				Lines: diffLines("@@ -71,5 +71,5 @@\n func (r *Reader) Next() error {\n-\tr.row = fields(r.line)\n+\tr.row, r.err = fields(r.line, r.number)\n \treturn r.err\n }\n")},
		}}}
	return r
}

// diffLines are the lines of a hunk.
func diffLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// search puts the made-up search into the ledger: one of benchmarks that fits the charts would take minutes.
func (w *world) search() error {
	l, err := ledger.Open(w.ledger)
	if err != nil {
		return err
	}
	draft, err := l.BeginComparison(ledger.Comparison{})
	if err != nil {
		return errors.Join(err, l.Close())
	}
	w.bisect = draft.ID()
	r := searched(w.bisect)
	doc, err := json.Marshal(r)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	return errors.Join(draft.Finish(ledger.Comparison{Status: ledger.Complete, Word: string(r.Stopped),
		Sentence: commits.BisectOf(r).Sentence, Doc: doc}), l.Close())
}

// The page of a search names the commit, draws the history, and shows the change; keys read it commit by commit.
func TestBisect(t *testing.T) {
	w := start(t)
	r := searched(w.bisect)
	found := r.Steps[0].Commits[0].Short()
	p := w.at(t, "#/comparisons/"+w.bisect)
	p.wait(`#history canvas`)
	if verdict := p.text(`document.querySelector('[data-test="verdict"]').textContent`); !strings.Contains(verdict,
		found) || !strings.Contains(verdict, "+12.1 %") {
		t.Errorf("the sentence is %q, want commit %s and +12.1 %%", verdict, found)
	}
	if n := p.text(`[".added", ".removed", '[data-test="hunk"]', '[data-test="probes"] tbody tr', '[data-test="skipped"] tbody tr'].map(s => document.querySelectorAll(s).length).join()`); n != "8,3,3,9,2" {
		t.Errorf("lines added and removed, hunks, probes, skipped commits: %s, want 8,3,3,9,2", n)
	}
	p.picture("bisect")
	p.do(focus(`#history canvas`))
	p.keys(end)
	for range placesInAll - 1 - stepAt {
		p.keys(arrowLeft)
	}
	if read := p.text(`document.querySelector("#history .tip").innerText`); !strings.Contains(read, found) ||
		!strings.Contains(read, "2026-09-13") || !strings.Contains(read, "96 %") {
		t.Errorf("the keys read %q, want commit %s", read, found)
	}
	p.click(`#history .show-data`)
	p.until(fmt.Sprintf(`document.querySelectorAll("#history .behind tbody tr").length === %d`, placesInAll))
	p.click(`#history .show-data`)
	p.dark()
	p.picture("bisect-dark")
	p.do(resize(500, 900))
	p.until(`document.documentElement.scrollWidth <= innerWidth`)
	p.picture("bisect-narrow")
}

// A report of a search has the same sentence as its page.
func TestReportOfASearch(t *testing.T) {
	w := start(t)
	file := filepath.Join(w.dir, "search.html")
	if _, err := w.output("report", w.bisect, "-o", file); err != nil {
		t.Fatal(err)
	}
	p := w.file(t, file, "")
	p.wait(`#history canvas`)
	if verdict := plain(p.text(`document.querySelector('[data-test="verdict"]').ariaLabel`)); verdict != commits.BisectOf(searched(w.bisect)).Sentence {
		t.Errorf("the report says %q", verdict)
	}
}

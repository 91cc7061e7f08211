package page

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/viewtest"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// contradictions are the figures and sentences of a contest on a page that deny each other.
func contradictions(c *model.Contest) (all []string) {
	for _, w := range c.Waterfalls {
		all = append(all, slices.Concat(sums(w), signs(c, w))...)
	}
	return slices.Concat(all, unchanged(c), undecided(c))
}

// sums are steps that add up to something else than the change, and falls of more than there was.
func sums(w model.Waterfall) (all []string) {
	if len(w.Steps) == 0 {
		if w.Note == "" {
			all = append(all, w.Title+": nothing is explained, and no sentence says why")
		}
		return all
	}
	at, fall, scale := w.From.Value, 0.0, math.Max(w.From.Value, w.To.Value)
	for _, s := range w.Steps {
		at += s.Delta.Value
		fall -= math.Min(0, s.Delta.Value)
		if s.Delta.Value < -w.From.Value*(1+1e-6) {
			all = append(all, fmt.Sprintf("%s: %s falls by %s of %s", w.Title, s.Name, s.Delta.Text, w.From.Text))
		}
	}
	if math.Abs(at-w.To.Value) > 1e-6*scale {
		all = append(all, fmt.Sprintf("%s: the steps lead to %v and not to %v", w.Title, at, w.To.Value))
	}
	change := w.To.Value - w.From.Value
	if rest := w.Steps[len(w.Steps)-1].Delta.Value; math.Abs(rest) > math.Abs(change) {
		all = append(all, fmt.Sprintf("%s: %v of %v is not explained", w.Title, rest, change))
	}
	return all
}

// signs are latencies of the traces that change in another way than those of the load.
func signs(c *model.Contest, w model.Waterfall) (all []string) {
	for cohort, key := range map[string]string{"typical": "p50", "slow": "p99"} {
		if !strings.Contains(w.Title, cohort) || len(w.Steps) == 0 {
			continue
		}
		for _, m := range c.Measures {
			load, traced := share(1+m.Change.Value), share(w.To.Value/w.From.Value)
			if m.Key != key {
				continue
			}
			if math.Abs(load-traced) > 0.25+1e-9 {
				all = append(all, fmt.Sprintf("%s is %s, and the %s", m.Name, m.Change.Text,
					w.Title+": "+w.From.Text+" -> "+w.To.Text))
			}
			if !strings.Contains(w.Note, m.A.Text[:strings.IndexByte(m.A.Text+" ", ' ')]) {
				all = append(all, w.Title+" says nothing of the same latency without traces")
			}
		}
	}
	return all
}

// share is a ratio as a change in parts of the larger side.
func share(ratio float64) float64 {
	if ratio > 1 {
		return 1 - 1/ratio
	}
	return ratio - 1
}

// unchanged are sentences that nothing changed above or below what did.
func unchanged(c *model.Contest) (all []string) {
	changed, clear := false, false
	for _, r := range c.Functions {
		changed = changed || r.Tone != model.Neutral
		clear = clear || r.Tone == model.Neutral && oneSided(r.Interval)
	}
	none := len(c.Functions) > 0 && !changed
	if none != strings.Contains(c.FunctionsNote, noneChanged) {
		all = append(all, fmt.Sprintf("functions changed: %v, and the page says %q", changed, c.FunctionsNote))
	}
	if clear && !strings.Contains(c.FunctionsNote, "share the level") {
		all = append(all,
			"a function that is called the same has an interval that is clear of zero, and no sentence says why")
	}
	for _, w := range c.Waterfalls {
		lines := slices.ContainsFunc(w.Steps, func(s model.WaterfallStep) bool {
			return s.Kind == stepFunction && oneSided(s.Interval)
		})
		switch {
		case w.Title != measure.CPU.Name:
		case none && lines && !strings.Contains(c.FunctionsNote, "with all that they call"):
			all = append(all, "no function changed, below lines that did")
		case changed && len(w.Steps) == 0 && strings.Contains(w.Note, "none of"):
			all = append(all, "none changed, above functions that did")
		}
	}
	return all
}

// oneSided says whether the interval of a text is on one side of zero.
func oneSided(interval string) bool {
	low, high, found := strings.Cut(interval, " ... ")
	return found && (strings.HasPrefix(low, "+") && strings.HasPrefix(high, "+") ||
		strings.HasPrefix(low, "-") && strings.HasPrefix(high, "-"))
}

// undecided are measures whose interval is clear of zero, and whose word has no sentence that says why.
func undecided(c *model.Contest) (all []string) {
	for _, m := range c.Measures {
		clear := m.Bounded && (m.Low > 0 || m.High < 0)
		if clear && m.Word == string(judge.Undecided) && !strings.Contains(c.Shared, m.Name) &&
			!strings.Contains(m.Note, "not confirmed") &&
			!strings.Contains(m.Note, "disturbed") {
			all = append(all, m.Name+" is undecided with the interval "+m.Interval)
		}
		if m.Tone != model.Better && m.Tone != model.Worse {
			continue
		}
		if m.Bounded && !clear {
			all = append(all, m.Name+" is "+m.Word+" with the interval "+m.Interval)
		}
		if grew := m.Change.Value > 0; m.Better != "" && (m.Tone == model.Better) != (grew == (m.Better == "higher")) {
			all = append(all, m.Name+" is "+m.Word+" with the change "+m.Change.Text)
		}
	}
	return all
}

// Eight edits of the shop were compared with it on a machine on which much else ran. Nothing on their pages denies
// something else there.
func TestPagesDoNotContradictThemselves(t *testing.T) {
	dir := filepath.Join("..", "model", "testdata", "whys")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		pages++
		t.Run(e.Name(), func(t *testing.T) {
			recorded, views := viewtest.Recorded(t, filepath.Join(dir, e.Name()))
			c := model.Contest{Waterfalls: waterfalls(recorded)}
			for _, v := range recorded.Verdicts {
				c.Measures = append(c.Measures, model.MeasureOf(v))
			}
			var err error
			if c.Functions, err = changedFunctions([2][]prof.Capture{viewtest.CPU(views[0]), viewtest.CPU(views[1])},
				views[1].Code); err != nil {
				t.Fatal(err)
			}
			relateFunctions(&c)
			for _, text := range contradictions(&c) {
				t.Error(text)
			}
		})
	}
	if pages < 8 {
		t.Errorf("only %d comparisons were read", pages)
	}
}

// Six comparisons as the ledger keeps them, of two reference services and of the shop: with traces that show another
// change than the load, with too few samples, and with measures that share the level. Their functions are not stored
// with them.
func TestStoredComparisonsDoNotContradictThemselves(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "contests", "*.json"))
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	leftOut, shared := 0, 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var of record.Contest
			text, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(text, &of)
			}
			if err != nil {
				t.Fatal(err)
			}
			m := model.ComparisonOf(&record.Comparison{Contests: []record.Contest{of}, Word: of.Word}, nil, model.Full)
			c := m.Contests[0]
			c.Waterfalls = waterfalls(of)
			for _, text := range contradictions(&c) {
				t.Error(text)
			}
			for _, w := range c.Waterfalls {
				if len(w.Steps) == 0 {
					leftOut++
				}
			}
			if c.Shared != "" {
				shared++
			}
		})
	}
	if leftOut < 5 || shared < 4 {
		t.Errorf("%d waterfalls are left out, %d comparisons have measures that share the level: the recordings test nothing",
			leftOut, shared)
	}
}

// What the test of the recordings looks for is found where it is planted.
func TestContradictionsAreFound(t *testing.T) {
	number := func(v float64) model.Number { return model.Number{Value: v, Text: fmt.Sprintf("%+g us", v)} }
	step := func(kind string, delta float64) model.WaterfallStep {
		return model.WaterfallStep{Kind: kind, Delta: number(delta), Interval: "-75.0 ... -67.0 %"}
	}
	fall := func(title string, steps ...model.WaterfallStep) model.Contest {
		return model.Contest{Waterfalls: []model.Waterfall{{Title: title, From: number(100), To: number(10),
			Steps: steps}}}
	}
	whole := fall(measure.CPU.Name, step(stepFunction, -80), step(stepUnexplained, -10))
	nothing := whole
	nothing.Functions, nothing.FunctionsNote = []model.FunctionRow{{Tone: model.Neutral, Interval: "-1 us ... +2 us"}},
		noneChanged
	clear := model.Contest{FunctionsNote: noneChanged,
		Functions: []model.FunctionRow{{Tone: model.Neutral, Interval: "+1 us ... +2 us"}}}
	p50 := model.MeasureRow{RowName: model.RowName{Key: "p50", Name: "p50 latency"},
		Difference: model.Difference{Change: model.Number{Value: 3.5, Text: "+350 %"}},
		A:          number(1)}
	traced := fall("latency of the typical request", step(stepWaiting, -80), step(stepUnexplained, -10))
	traced.Measures = []model.MeasureRow{p50}
	open := model.Contest{Measures: []model.MeasureRow{{RowName: model.RowName{Name: "p50"}, Word: "undecided",
		Difference: model.Difference{Bounded: true, Low: -0.6,
			High: -0.2}}}}
	wrong := model.Contest{Measures: []model.MeasureRow{{RowName: model.RowName{Name: "p50", Better: "lower"},
		Tone: model.Better, Difference: model.Difference{Change: number(0.2)}}}}
	for name, c := range map[string]struct {
		of   model.Contest
		want string
	}{
		"a fall of more than all": {fall("CPU", step(stepFunction, 25), step(stepUnexplained, -115)), "falls by"},
		"steps that do not add up": {fall("CPU", step(stepFunction, -20), step(stepUnexplained, -10)),
			"the steps lead to"},
		"nothing changed":           {nothing, "below lines that did"},
		"the same with an interval": {clear, "clear of zero"},
		"traces the other way":      {traced, "p50 latency is +350 %"},
		"undecided":                 {open, "is undecided with the interval"},
		"better by more":            {wrong, "with the change"},
	} {
		if got := strings.Join(contradictions(&c.of), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := contradictions(&whole); got != nil {
		t.Errorf("found where nothing is: %q", got)
	}
}

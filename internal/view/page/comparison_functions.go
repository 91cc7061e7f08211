package page

import (
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// mostFunctions is how many functions a comparison lists.
const mostFunctions = 60

// functionRows are the functions whose own CPU time per request differs most between two runs; none where one of them
// has no CPU profile, or its requests were not counted.
func (l *Library) functionRows(a, b record.Run) ([]model.FunctionRow, error) {
	var sides [2][]prof.Capture
	for i, r := range []record.Run{a, b} {
		pieces, err := l.pieces(r.ID, "cpu")
		if err != nil {
			return nil, err
		}
		for _, c := range pieces {
			if c.Operations > 0 {
				sides[i] = append(sides[i], c)
			}
		}
		if len(sides[i]) == 0 {
			return nil, nil
		}
	}
	rows, err := changedFunctions(sides, prof.Code{Module: b.Binary.Module, MainPackage: b.Binary.Package})
	if err != nil {
		return nil, fail.New(fail.Storage, "compare the CPU profiles of %s and %s: %w", a.ID, b.ID, err)
	}
	return rows, nil
}

// changedFunctions are the functions of CPU profiles of two sides, the largest change of their own time first.
func changedFunctions(sides [2][]prof.Capture, code prof.Code) ([]model.FunctionRow, error) {
	d, err := diff.New(sides[0], sides[1], diff.Options{Code: code})
	if err != nil {
		return nil, err
	}
	w := builder{family: units.Nanoseconds} // CPU time
	var rows []model.FunctionRow
	for _, r := range d.Rows[:min(mostFunctions, len(d.Rows))] {
		row := model.FunctionRow{
			Name: r.Function, A: model.Number{Value: r.A, Text: w.family.Write(r.A)},
			B: model.Number{Value: r.B, Text: w.family.Write(r.B)}, Delta: w.signed(r.Delta),
			Interval: w.signed(r.Low).Text + " ... " + w.signed(r.High).Text, Word: string(r.Word), Tone: model.Neutral,
			OneSided: r.Low*r.High > 0,
		}
		switch r.Word {
		case diff.Added, diff.Dearer:
			row.Tone = model.Worse
		case diff.Gone, diff.Cheaper:
			row.Tone = model.Better
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// The sentences of functions: what their rows mean next to what a contest shows above them.
const (
	noneChanged  = "No function's own time changed beyond the noise of the profiles."
	linesChanged = " What changed above is lines, with all that they call: more than the own time of one function."
	shareLevel   = " An interval is 95 % by itself, and all functions share the level: one that is clear of zero is no " +
		"proof yet."
	onlyBelow = "The profiles do not tie the change to lines of the program. Functions that changed stand below."
	restBelow = "Of what is not explained here, functions that changed stand below: they are spread over many lines."
)

// relateFunctions makes the functions of a contest and what stands above them agree: each says what the other leaves
// out.
func relateFunctions(one *model.Contest) {
	if len(one.Functions) == 0 {
		return
	}
	changed, clear := false, false
	for _, r := range one.Functions {
		changed = changed || r.Tone != model.Neutral
		clear = clear || r.Tone == model.Neutral && r.OneSided
	}
	i := slices.IndexFunc(one.Waterfalls, func(w model.Waterfall) bool { return w.Title == measure.CPU.Name })
	lines := i >= 0 && slices.ContainsFunc(one.Waterfalls[i].Steps,
		func(s model.WaterfallStep) bool { return s.Kind == stepFunction })
	if !changed {
		one.FunctionsNote = noneChanged
		if lines {
			one.FunctionsNote += linesChanged
		}
	}
	if clear {
		one.FunctionsNote = strings.TrimSpace(one.FunctionsNote + shareLevel)
	}
	if w := i; changed && w >= 0 {
		one.Waterfalls[w].Note = notExplainedHere(one.Waterfalls[w])
	}
}

// notExplainedHere is the note of a waterfall of CPU time above functions that changed.
func notExplainedHere(w model.Waterfall) string {
	if len(w.Steps) == 0 {
		return onlyBelow
	}
	if last := w.Steps[len(w.Steps)-1]; math.Abs(last.Delta.Value) > math.Abs(w.To.Value-w.From.Value)/2 {
		return restBelow
	}
	return w.Note
}

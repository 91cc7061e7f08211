package page

import (
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

// mostFunctions is how many functions a comparison lists.
const mostFunctions = 60

// functionRows are the functions whose own CPU time per request differs most between two runs; none where one of them has no
// CPU profile, or its requests were not counted.
func (l *Library) functionRows(a, b lab.Record) ([]model.FunctionRow, error) {
	var sides [2][]prof.Capture
	for i, r := range []lab.Record{a, b} {
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
	d, err := prof.NewDiff(sides[0], sides[1], prof.DiffOptions{Code: prof.Code{Module: b.Binary.Module, MainPackage: b.Binary.Package}})
	if err != nil {
		return nil, fail.New(fail.Storage, "compare the CPU profiles of %s and %s: %w", a.ID, b.ID, err)
	}
	w := builder{family: units.Nanoseconds} // CPU time
	var rows []model.FunctionRow
	for _, r := range d.Rows[:min(mostFunctions, len(d.Rows))] {
		row := model.FunctionRow{
			Name: r.Function, A: model.Number{Value: r.A, Text: w.family.Write(r.A)}, B: model.Number{Value: r.B, Text: w.family.Write(r.B)}, Delta: w.signed(r.Delta),
			Interval: w.signed(r.Low).Text + " ... " + w.signed(r.High).Text, Word: string(r.Word), Tone: model.Neutral,
		}
		switch r.Word {
		case prof.Added, prof.Dearer:
			row.Tone = model.Worse
		case prof.Gone, prof.Cheaper:
			row.Tone = model.Better
		}
		rows = append(rows, row)
	}
	return rows, nil
}

package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// NamedRecording is a recorded load test of a file, with the name that a page gives it.
type NamedRecording struct {
	Name      string
	Recording *recording.Recording
}

// LoadTests makes the pages of recorded load tests by their addresses, and the address of the first one to show: that
// of the test, or of all side by side. They come from files, so no ledger is needed.
func LoadTests(all []NamedRecording) (pages map[string]any, first string, err error) {
	pages = map[string]any{}
	side := &Comparison{
		Head:  Head{Schema: Schema, Kind: KindStored, ID: "", Status: string(ledger.Complete)},
		Under: []string{}, Contests: []model.Contest{}, Environment: []EnvironmentRow{}, Profiles: []ProfileRef{},
		Commands: []model.Command{},
		Verdicts: []model.Statement{{Text: fmt.Sprintf("%s side by side", units.Plural(len(all), "load test")),
			Tone: model.Neutral}},
		Check: model.Check{Statement: model.Statement{Text: "they were not taken together: a difference between them also " +
			"holds what changed on the machine in between, and no verdict is drawn", Tone: model.Warning}},
	}
	var names []string
	rows := map[string]*EnvironmentRow{}
	var order []string
	for i, one := range all {
		doc, slices := loadtests.DocumentOf(one.Name, one.Recording)
		p := loadPage(ledger.Run{ID: one.Name, Label: doc.Label, Status: doc.Status,
			Started: one.Recording.Header.Start}, &doc, slices)
		p.Title = one.Name + ": " + doc.Label
		p.Commands = []model.Command{
			{Line: "hone load report " + one.Name, What: "this as text"},
			{Line: "hone load merge FILE FILE -o FILE", What: "adds load tests that ran at the same time"},
		}
		first = RunPath(one.Name)
		pages[first] = p
		names = append(names, one.Name)
		side.Started = p.Started
		side.Variants = append(side.Variants, model.Variant{Letter: model.Letter(i), Label: one.Name, Run: one.Name,
			Source: doc.Label})
		if p.Latency != nil {
			curve := *p.Latency
			curve.Name = model.Letter(i) + ": " + one.Name
			side.Latency = append(side.Latency, curve)
		}
		if p.Check.Tone == model.Bad {
			side.Check.Notes = append(side.Check.Notes,
				model.Statement{Text: one.Name + ": " + p.Check.Text, Tone: model.Bad})
		}
		for _, row := range append(append([]model.Row{{Name: "check", Text: p.Check.Text}}, p.Numbers...),
			p.Environment...) {
			if row.Name == "" {
				continue
			}
			if rows[row.Name] == nil {
				rows[row.Name] = &EnvironmentRow{Name: row.Name, Values: make([]string, len(all))}
				order = append(order, row.Name)
			}
			rows[row.Name].Values[i] = row.Text
		}
	}
	if len(all) == 1 {
		return pages, first, nil
	}
	for _, name := range order {
		row := rows[name]
		for _, v := range row.Values {
			row.Differs = row.Differs || v != row.Values[0]
		}
		side.Environment = append(side.Environment, *row)
	}
	side.Title = strings.Join(names, ", ")
	side.Commands = append(side.Commands, model.Command{Line: shellwords.Join(slices.Concat([]string{"hone", "load",
		"plot"}, names, []string{"-o", "FILE.html"})), What: "this page again"})
	first = "comparisons/recordings"
	pages[first] = side
	return pages, first, nil
}

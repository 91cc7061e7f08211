package page

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/loadtest"
	"github.com/gohone/hone/internal/view/stored"
)

// loadTest is the page of a load test of a server that was already running.
func (l *Library) loadTest(r *stored.Run) (*Run, error) {
	slices, err := l.Stored.Ledger.Slices(r.Row.ID)
	if err != nil {
		return nil, err
	}
	return loadPage(r.Row, r.Load, slices), nil
}

// loadPage makes the page of a load test from its document and its slices.
func loadPage(row ledger.Run, doc *loadtests.Document, slices []packed.Slice) *Run {
	counts, damage := histogramsOf(slices)
	t := loadtest.LoadTestOf(doc)
	r := &Run{
		Head: Head{
			Schema: Schema, Kind: KindLoad, ID: row.ID, Title: cmp.Or(row.Label, row.ID), Started: row.Started,
			Status: string(row.Status), Version: doc.Header.Hone,
		},
		Label: row.Label, Check: model.Check{Statement: t.Check,
			Notes: append(append(t.Doubts, t.Notes...), t.Thresholds...)},
		Under: t.Under, Numbers: append([]model.Row{}, t.Numbers()...), Errors: t.Errors,
		Latency: loadCurve(doc, t, counts), HeatMap: heatMapOf(slices, counts),
		Timeline:    timelineOf(slices, counts, nil),
		Findings:    []model.Finding{},
		FindingNote: "a load test has no profiles: hone run PACKAGE starts, loads and profiles a program",
		Environment: loadEnvironment(row, doc), Profiles: []ProfileRef{}, Artefacts: []Artefact{},
		Commands: loadCommands(row, doc, t),
	}
	if row.Origin != nil {
		r.Host = row.Origin.Host
	}
	if doc.Elapsed > 0 {
		r.Elapsed = units.Seconds(doc.Elapsed.Round(time.Millisecond))
	}
	if damage != nil {
		sayDamaged(r, damage)
	}
	return r
}

// loadCurve is the distribution of all slices, with the percentiles of the report as marks.
func loadCurve(doc *loadtests.Document, t *loadtest.LoadTest, counts []distribution) *Curve {
	loop := " (closed loop)"
	if doc.Header.Schedule.Open() {
		loop = " (open loop)"
	}
	c := curveOf(doc.Label, t.Kind+loop, sumOf(counts))
	if c == nil || doc.Summary == nil {
		return c
	}
	for _, q := range doc.Summary.Latency.Quantiles() {
		if q.Resolved {
			c.Marks = append(c.Marks, CurveMark{Name: q.Name, Nanos: float64(q.Value),
				Text: units.Nanos(float64(q.Value))})
		}
	}
	return c
}

// loadEnvironment is the load generator's: of the server's machine nothing is known.
func loadEnvironment(row ledger.Run, doc *loadtests.Document) []model.Row {
	rows := []model.Row{}
	say := func(name, text string) {
		if text != "" {
			rows = append(rows, model.Row{Name: name, Text: text})
		}
	}
	h := doc.Header
	say("target", h.Target)
	say("protocol", h.Protocol)
	if row.Origin != nil {
		say("measured on", row.Origin.Host)
	}
	say("machine of the load generator", loadtest.MachineText(h.Machine))
	say("event loops", fmt.Sprint(max(1, h.Plan.Workers)))
	say("CPUs of the load generator", cpuList(h.Plan.CPUs))
	say("hone", h.Hone)
	say("built with", h.Go)
	say("recording", doc.File)
	return rows
}

// loadCommands lead on from a load test.
func loadCommands(row ledger.Run, doc *loadtests.Document, t *loadtest.LoadTest) []model.Command {
	all := []model.Command{{Line: doc.Command.Stored("show", row.ID), What: "this page in the terminal"}}
	if doc.Summary != nil {
		all = append(all, model.Command{Line: t.Next.Line,
			What: cmp.Or(t.Next.What, "what the report names next") + spec.Unset(t.Next.Line)})
	}
	return append(all, t.History,
		model.Command{Line: doc.Command.Stored("compare", row.ID, "OTHER-RUN"),
			What: "this load test against another one"},
		model.Command{Line: doc.Command.Stored("export", row.ID), What: "take it to another machine"})
}

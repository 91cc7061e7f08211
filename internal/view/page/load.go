package page

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// loadTest is the page of a load test of a server that was already running.
func (l *Library) loadTest(r *stored.Run) (*Run, error) {
	slices, err := l.Stored.Ledger.Slices(r.Row.ID)
	if err != nil {
		return nil, err
	}
	doc := *r.Load
	if l.Stored.Strange(r.Row.ID) {
		doc.Command = nil
	}
	return loadPage(r.Row, doc, slices), nil
}

// loadPage makes the page of a load test from its document and its slices.
func loadPage(row ledger.Run, doc loadtest.Stored, slices []ledger.Slice) *Run {
	counts, damage := histogramsOf(slices)
	r := &Run{
		Head: Head{
			Schema: Schema, Kind: KindLoad, ID: row.ID, Title: cmp.Or(row.Label, row.ID), Started: row.Started,
			Status: string(row.Status), Version: doc.Header.Hone,
		},
		Label: row.Label, Check: loadCheck(row, doc), Under: report.LoadConditions(doc.Header), Numbers: loadNumbers(doc),
		Latency: loadCurve(doc, counts), HeatMap: heatMapOf(slices, counts), Timeline: timelineOf(slices, counts, nil),
		Findings: []Finding{}, FindingNote: "a load test has no profiles: hone run PACKAGE starts, loads and profiles a program",
		Environment: loadEnvironment(row, doc), Profiles: []ProfileRef{}, Artefacts: []Artefact{}, Commands: loadCommands(row, doc),
	}
	if s := doc.Summary; s != nil {
		r.Errors = report.Causes(s.Causes, s.WrongStatuses)
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

// loadCheck says whether the numbers can be trusted; of a test without any why there are none.
func loadCheck(row ledger.Run, doc loadtest.Stored) Check {
	s := doc.Summary
	if s == nil {
		text := "no result (" + string(row.Status) + ")"
		if row.Reason != "" {
			text += ": " + row.Reason
		}
		return Check{Statement: Statement{Text: text, Tone: toneOfStatus(row.Status)}}
	}
	c := Check{Statement: Statement{Tone: Good}}
	ok := false
	if c.Text, ok = report.LoadCheck(*s); !ok {
		c.Tone = Bad
	}
	for _, n := range report.LoadNotes(*s) {
		note := Statement{Text: n.Text, Tone: Warning}
		if n.Kind != "note" {
			note.Tone = Bad
		}
		c.Notes = append(c.Notes, note)
	}
	for _, text := range append(append([]string{}, doc.Header.Notes...), doc.Notes...) {
		c.Notes = append(c.Notes, Statement{Text: text, Tone: Neutral})
	}
	for _, t := range s.Thresholds {
		tone := Good
		if t.Failed {
			tone = Bad
		}
		c.Notes = append(c.Notes, Statement{Text: report.ThresholdText(t), Tone: tone})
	}
	return c
}

// loadNumbers are the numbers of the terminal's report.
func loadNumbers(doc loadtest.Stored) []Row {
	rows := []Row{}
	s := doc.Summary
	if s == nil {
		return rows
	}
	if doc.Search != nil {
		rows = append(rows, Row{Name: "search", Text: report.SearchSentence(doc.Search)})
	}
	rows = append(rows, report.LoadNumbers(*s)...)
	if s.Latency.Count > 0 {
		rows = append(rows, Row{Name: report.LoadLatencyKind(s.Loop), Text: report.LoadQuantiles(s.Latency), Note: report.LoadRestsOn(*s)})
	}
	rows = append(rows, report.LoadParts(*s)...)
	for i, line := range report.LoadAccount(*s) {
		rows = append(rows, Row{Name: []string{"requests", ""}[min(i, 1)], Text: line})
	}
	if codes := report.LoadCodes(*s); codes != "" {
		rows = append(rows, Row{Name: "status codes", Text: codes})
	}
	return append(rows, report.LoadGenerator(*s)...)
}

// loadCurve is the distribution of all slices, with the percentiles of the report as marks.
func loadCurve(doc loadtest.Stored, counts []distribution) *Curve {
	loop, word := "closed", "closed loop"
	if doc.Header.Schedule.Open() {
		loop, word = "open", "open loop"
	}
	c := curveOf(doc.Label, report.LoadLatencyKind(loop)+" ("+word+")", sumOf(counts))
	if c == nil || doc.Summary == nil {
		return c
	}
	for _, q := range doc.Summary.Latency.Quantiles() {
		if q.Resolved {
			c.Marks = append(c.Marks, CurveMark{Name: q.Name, Nanos: float64(q.Value), Text: units.Nanos(float64(q.Value))})
		}
	}
	return c
}

// loadEnvironment is the load generator's: of the server's machine nothing is known.
func loadEnvironment(row ledger.Run, doc loadtest.Stored) []Row {
	rows := []Row{}
	say := func(name, text string) {
		if text != "" {
			rows = append(rows, Row{Name: name, Text: text})
		}
	}
	h := doc.Header
	say("target", h.Target)
	say("protocol", h.Protocol)
	if row.Origin != nil {
		say("measured on", row.Origin.Host)
	}
	say("machine of the load generator", joined(h.Machine))
	say("event loops", fmt.Sprint(max(1, h.Plan.Workers)))
	say("CPUs of the load generator", cpuList(h.Plan.CPUs))
	say("hone", h.Hone)
	say("built with", h.Go)
	say("recording", doc.File)
	return rows
}

func joined(m recording.Machine) string {
	var parts []string
	for _, p := range []string{m.CPU, m.CPUs, m.OS} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// loadCommands lead on from a load test.
func loadCommands(row ledger.Run, doc loadtest.Stored) []Command {
	all := []Command{{Line: doc.Command.Stored("show", row.ID), What: "this page in the terminal"}}
	if doc.Summary != nil {
		all = append(all, Command{Line: report.LoadNext(doc), What: "what the report names next"})
	}
	return append(all,
		Command{Line: report.LoadHistory(doc), What: "this measure over time"},
		Command{Line: doc.Command.Stored("compare", row.ID, "OTHER-RUN"), What: "this load test against another one"},
		Command{Line: doc.Command.Stored("export", row.ID), What: "take it to another machine"})
}

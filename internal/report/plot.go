package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/load"
)

// Plotted is a recording with the name that a plot gives it: its file, or a word of the
// user's. An empty name becomes a letter.
type Plotted struct {
	Name      string
	Recording *recording.Recording
}

//go:embed plot.html
var plotHTML string

// plotRows is the most points in time that a chart shows: more would share pixels. Slices
// are added up, not dropped.
const plotRows = 400

// Plot writes one HTML file with charts of the recordings side by side: it needs no
// network and nothing beside it, and can be mailed. What the recordings say is data: it
// is escaped for the place where it stands.
func Plot(w io.Writer, recordings ...Plotted) error {
	t, err := template.New("plot").Parse(plotHTML)
	if err != nil {
		return fmt.Errorf("parse plot template: %w", err)
	}
	var page plotPage
	var all []plotData
	for i, p := range recordings {
		d := plotDataOf(i, p)
		all = append(all, d)
		page.Cards = append(page.Cards, cardOf(d))
		page.Files = append(page.Files, shellWord(d.name))
	}
	whole := summaryTable(all)
	half := (len(whole.Rows) + 1) / 2
	page.Summary = []table{{whole.Head, whole.Rows[:half]}, {whole.Head, whole.Rows[half:]}}
	for _, c := range []chart{percentileChart(all), rateChart(all), latencyChart(all), histogramChart(all)} {
		page.Charts = append(page.Charts, c.draw())
	}
	if err := t.Execute(w, page); err != nil {
		return fmt.Errorf("write plot: %w", err)
	}
	return nil
}

// plotPage is what the template shows.
type plotPage struct {
	Cards   []card
	Summary []table // in two halves, side by side where there is room
	Charts  []drawnChart
	Files   []string
}

// table is the data behind a chart, or the summary.
type table struct {
	Head []string
	Rows [][]string
}

// card is the banner of one recording: can it be trusted, and under what was it taken?
type card struct {
	Class, Name, Check string
	Valid              bool
	Conditions, Notes  []string
	Account            string
}

// plotData is one recording, worked out once.
type plotData struct {
	name    string
	class   string // of its colour
	rec     *recording.Recording
	summary recording.Summary
	tally   load.Tally
	rows    []recording.Row
}

// plotColours is the number of colours in the template.
const plotColours = 4

func plotDataOf(i int, p Plotted) plotData {
	d := plotData{name: plain(p.Name), class: fmt.Sprintf("s%d", i%plotColours), rec: p.Recording}
	if d.name == "" {
		d.name = fmt.Sprintf("%c", 'A'+rune(i%26))
	}
	d.summary, d.tally = recording.Summarize(p.Recording), p.Recording.Tally()
	d.rows = p.Recording.Timeline(plotRows)
	return d
}

func cardOf(d plotData) card {
	s := d.summary
	c := card{Class: d.class, Name: d.name, Conditions: LoadConditions(d.rec.Header)}
	bad := load.Invalid(s.Doubts)
	switch {
	case bad != nil:
		c.Check = "measurement INVALID: " + bad.Text
	case s.Latency.Count == 0:
		c.Check = "measurement INVALID: no request was answered"
	default:
		c.Valid = true
		c.Check = fmt.Sprintf("measurement ok: load generator at %.0f %% of its CPU, replies %s %% right", 100*s.Generator.Busy, share(1-s.ErrorShare))
	}
	for i := range s.Doubts {
		switch doubt := &s.Doubts[i]; {
		case doubt == bad:
		case doubt.Fatal:
			c.Notes = append(c.Notes, "invalid too: "+doubt.Text)
		default:
			c.Notes = append(c.Notes, "note: "+doubt.Text)
		}
	}
	for _, n := range slices.Concat(d.rec.Header.Notes, d.rec.Final.Notes) {
		c.Notes = append(c.Notes, "note: "+n)
	}
	if s.Loop == "closed" {
		c.Notes = append(c.Notes, "note: closed loop: latencies are service times; a slow target lowers the rate instead of raising them")
	}
	c.Account = identities(s.Account)
	return c
}

// summaryTable has a column for each recording.
func summaryTable(all []plotData) table {
	t := table{Head: []string{""}}
	for _, d := range all {
		t.Head = append(t.Head, d.name)
	}
	row := func(name string, value func(recording.Summary) string) {
		cells := []string{name}
		for _, d := range all {
			cells = append(cells, value(d.summary))
		}
		t.Rows = append(t.Rows, cells)
	}
	row("loop", func(s recording.Summary) string { return s.Loop })
	row("duration", func(s recording.Summary) string { return units.Seconds(s.Duration) })
	row("rate asked", func(s recording.Summary) string {
		if s.Loop == "closed" {
			return "-"
		}
		return units.Rate(s.AskedHz)
	})
	row("answered right", func(s recording.Summary) string { return units.Rate(s.AchievedHz) })
	row("requests answered right", func(s recording.Summary) string { return units.Count(s.Requests.Answered) })
	row("requests failed", func(s recording.Summary) string { return units.Count(s.Requests.Failed) })
	for i, q := range (recording.Latency{}).Quantiles() {
		row("latency "+q.Name, func(s recording.Summary) string { return quantileText(s.Latency.Quantiles()[i]) })
	}
	row("service time p50", func(s recording.Summary) string { return units.Nanos(float64(s.Latencies.Service.P50)) })
	row("service time p99", func(s recording.Summary) string {
		return percentileText(s.Latencies.Service.P99, 99, s.Latencies.Service.Count)
	})
	row("send lag p99", func(s recording.Summary) string {
		if s.Latencies.Lag == nil {
			return "-"
		}
		return units.Nanos(float64(s.Latencies.Lag.P99))
	})
	row("bytes received", func(s recording.Summary) string { return units.Bytes(s.BytesReceivedHz) + "/s" })
	row("generator busy", func(s recording.Summary) string { return fmt.Sprintf("%.0f %%", 100*s.Generator.Busy) })
	return t
}

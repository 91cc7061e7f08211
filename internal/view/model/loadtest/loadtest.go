package loadtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/load"
)

// LoadTest is what is shown of a load test of a server that was already running. One that measured nothing has its
// check, its conditions and the commands.
type LoadTest struct {
	// Check says whether the numbers can be trusted. Doubts are those that it does not name, Notes what the test noted,
	// and Thresholds say which limits held.
	Check                     model.Statement
	Doubts, Notes, Thresholds []model.Statement
	// Under says under which load and where, the target first.
	Under []string
	// Search is how the highest rate was found, as far as it was asked for.
	Search []model.Row
	// Rates are rates, bytes and connections. Account has the identities that hold for the requests, and Published the
	// line that RPC benchmarks report.
	Rates, Account []model.Row
	Published      string
	// Kind is what the latencies are: response time in an open loop, service time in a closed one.
	Kind string
	// Latencies are the distributions, the first one that which speaks for the target; none where nothing was answered
	// right.
	Latencies []Distribution
	// Streams are the numbers of streamed messages, Targets those of each of several targets.
	Streams, Targets []model.Row
	// Codes count answers by status, Errors failures by cause.
	Codes, Errors []model.Row
	// Generator is what the load cost on its own side, and what that can do at best.
	Generator []model.Row
	// Show is empty for a test that is not in the ledger. Next goes on from it, and History shows the tests of the
	// target over time.
	Show, Next, History model.Command
}

// Distribution is a latency with its name and what it is of: "service time", "of 7,200 answers".
type Distribution struct {
	Name string
	recording.Latency
	Of string
}

// LoadTestOf is what is shown of a load test.
func LoadTestOf(d *loadtests.Document) *LoadTest {
	t := &LoadTest{Under: loadUnder(d.Header), Kind: LatencyKind(d.Header.Schedule.Open())}
	measure := measure.Throughput.Key
	if d.Header.Schedule.Open() {
		measure = "p99"
	}
	t.History = model.Command{Line: d.Command.Stored("history", "--measure="+measure, "--target="+d.Header.Target),
		What: "this measure over time"}
	for _, text := range slices.Concat(d.Header.Notes, d.Notes) {
		t.Notes = append(t.Notes, model.Statement{Word: "note", Text: text, Tone: model.Neutral})
	}
	if d.ID != "" {
		t.Show = model.Command{Line: d.Command.Stored("show", d.ID), What: "this again"}
	}
	s := d.Summary
	if s == nil {
		t.Check = model.Statement{Text: fmt.Sprintf("no result (%s)", d.Status), Tone: ToneOf(d.Status)}
		if d.Reason != "" {
			t.Check.Text += ": " + d.Reason
		}
		if t.Next = (model.Command{Line: d.Command.Again().String(), What: "again"}); t.Next.Line == "" {
			t.Next = model.Command{Line: d.Command.Stored("history")}
		}
		return t
	}
	t.Check, t.Doubts = loadCheck(s)
	t.Thresholds = model.Thresholds(s.Thresholds)
	if d.Search != nil {
		t.Search = []model.Row{SearchOf(d.Search)}
	}
	t.Rates, t.Account, t.Published = loadRates(s), loadAccount(s), Published(s)
	t.Latencies, t.Streams, t.Targets = loadLatencies(s), loadStreams(s), loadTargets(s)
	t.Codes, t.Errors, t.Generator = loadCodes(s), model.Causes(s.Causes, s.WrongStatuses), loadGenerator(s)
	t.Next = loadNext(d)
	return t
}

// Numbers are all rows in the order of a page.
func (t *LoadTest) Numbers() []model.Row {
	all := slices.Concat(t.Search, t.Rates)
	for _, l := range t.Latencies {
		all = append(all, model.Row{Name: l.Name, Text: quantiles(l.Latency), Note: l.Of})
	}
	return slices.Concat(all, t.Streams, t.Targets, t.Account, t.Codes, t.Generator)
}

// LatencyKind is what the latencies of an open loop, or of a closed one, are called.
func LatencyKind(open bool) string {
	if open {
		return "response time"
	}
	return "service time"
}

// ToneOf says whether a state lets the numbers be trusted.
func ToneOf(status ledger.Status) model.Tone {
	switch status {
	case ledger.Complete, ledger.Running:
		return model.Neutral
	case ledger.Invalid:
		return model.Bad
	}
	return model.Warning
}

// loadCheck says whether the numbers of a load test can be trusted, and what else makes one doubt them.
func loadCheck(s *recording.Summary) (check model.Statement, doubts []model.Statement) {
	bad := load.Invalid(s.Doubts)
	for i := range s.Doubts {
		d := &s.Doubts[i]
		switch {
		case d == bad, bad != nil && d.Fatal && d.Text == bad.Text:
		case d.Fatal:
			doubts = append(doubts, model.Statement{Word: "invalid too", Text: d.Text, Tone: model.Bad})
		default:
			doubts = append(doubts, model.Statement{Word: "note", Text: d.Text, Tone: model.Warning})
		}
	}
	switch {
	case bad != nil:
		return model.Statement{Text: "measurement INVALID: " + bad.Text, Tone: model.Bad}, doubts
	case s.Requests.Answered+s.Requests.Failed == 0:
		return model.Statement{Text: "measurement INVALID: no request was answered", Tone: model.Bad}, doubts
	}
	parts := []string{fmt.Sprintf("measurement ok: load generator at %.0f %% of its CPU", 100*s.Generator.Busy)}
	if l := s.Latencies.Lag; l != nil {
		parts = append(parts, "send lag p99 "+units.Nanos(float64(l.P99)))
	}
	if s.Loop == "open" && s.Requests.Scheduled > 0 {
		parts = append(parts, fmt.Sprintf("%s %% of the requests due were sent",
			model.Share(float64(s.Requests.Sent)/float64(s.Requests.Scheduled))))
	}
	parts = append(parts, fmt.Sprintf("replies %s %% right", model.Share(1-s.ErrorShare)))
	return model.Statement{Text: strings.Join(parts, ", "), Tone: model.Good}, doubts
}

// loadUnder says under which load and where the numbers were taken.
func loadUnder(h recording.Header) []string {
	parts := []string{h.Target, model.Connections(h.Plan), loopText(h.Schedule)}
	if n := len(h.Parts); n > 1 {
		parts = append(parts, fmt.Sprintf("%d generators together", n))
	}
	if machine := MachineText(h.Machine); machine != "" {
		parts = append(parts, machine)
	}
	if h.Hone != "" {
		parts = append(parts, "hone "+h.Hone)
	}
	return append(parts, h.Start.UTC().Format("2006-01-02 15:04:05 UTC"))
}

// MachineText is a machine in some words.
func MachineText(m recording.Machine) string {
	return strings.Join(model.NonEmpty(m.CPU, m.CPUs, m.OS), ", ")
}

// loopText describes a schedule in some words.
func loopText(s load.Schedule) string {
	length := units.Seconds(s.Length())
	switch {
	case len(s.Replay) > 0:
		return fmt.Sprintf("open loop, replay of %s requests in %s", units.Count(uint64(len(s.Replay))), length)
	case !s.Open():
		var ends []string
		if s.Requests > 0 {
			ends = append(ends, units.Count(s.Requests)+" requests")
		}
		if s.Duration > 0 {
			ends = append(ends, length)
		}
		return "closed loop, " + strings.Join(ends, " or ")
	}
	text := "open loop, "
	first, last := s.Stages[0], s.Stages[len(s.Stages)-1]
	switch {
	case len(s.Stages) > 1:
		text += fmt.Sprintf("%d stages from %s to %s", len(s.Stages), units.Rate(first.From), units.Rate(last.To))
	case first.From != first.To:
		text += fmt.Sprintf("%s to %s", units.Rate(first.From), units.Rate(first.To))
	default:
		text += units.Rate(first.From)
	}
	if s.Arrivals == load.Poisson {
		text += " Poisson"
	}
	return text + " for " + length
}

// loadAccount are the identities that hold for the requests of a load test, and its warm-up.
func loadAccount(s *recording.Summary) []model.Row {
	a := s.Account
	lines := []string{fmt.Sprintf("scheduled %s = sent %s + unsent %s", units.Count(a.Scheduled), units.Count(a.Sent),
		units.Count(a.Unsent))}
	sent := units.Count(a.Sent)
	// in a slow target's favour, if unsaid
	if settled := a.Answered + a.Failed + a.Unanswered; s.WarmUp != nil && settled > a.Sent {
		sent += fmt.Sprintf(" + left over by the warm-up %s", units.Count(settled-a.Sent))
	}
	lines = append(lines, fmt.Sprintf("sent %s = answered %s + failed %s + unanswered %s",
		sent, units.Count(a.Answered), units.Count(a.Failed), units.Count(a.Unanswered)))
	if a.Failed > 0 {
		lines = append(lines, fmt.Sprintf("failed %s = answered wrong %s + without an answer %s",
			units.Count(a.Failed), units.Count(a.Failed-min(a.Lost, a.Failed)), units.Count(a.Lost)))
	}
	if a.Stray > 0 {
		lines = append(lines, fmt.Sprintf("besides, %s replies belong to no request", units.Count(a.Stray)))
	}
	var all []model.Row
	for i, line := range lines {
		all = append(all, model.Row{Name: []string{"requests", ""}[min(i, 1)], Text: line})
	}
	if w := s.WarmUp; w != nil {
		all = append(all, model.Row{Name: "warm-up",
			Text: fmt.Sprintf("%s before that: sent %s, answered %s, failed %s, unanswered %s; in no other number here",
				units.Seconds(w.For), units.Count(w.Sent), units.Count(w.Answered), units.Count(w.Failed),
				units.Count(w.Unanswered))})
	}
	return all
}

// Published is the line that RPC benchmarks report: time taken, requests sent, answers received, succeeded and failed,
// and right answers per second of the time taken, rounded down.
func Published(s *recording.Summary) string {
	q := s.Requests
	tps := 0.0
	if s.Duration > 0 {
		tps = float64(q.Answered) / s.Duration.Seconds()
	}
	return fmt.Sprintf("took %s ms, sent %s, received %s, succeeded %s, failed %s, TPS %s",
		units.Count(uint64(max(0, s.Duration.Round(time.Millisecond).Milliseconds()))), units.Count(q.Sent),
		units.Count(q.Answered+q.Failed-min(q.Lost, q.Failed)), units.Count(q.Answered), units.Count(q.Failed),
		units.Count(uint64(tps)))
}

// loadRates are the rates, bytes and connections of a load test.
func loadRates(s *recording.Summary) []model.Row {
	rate := "answered right " + units.Rate(s.AchievedHz)
	if s.Loop == "open" {
		rate = fmt.Sprintf("asked %s, sent %s, %s", units.Rate(s.AskedHz), units.Rate(s.SentHz), rate)
	}
	live := fmt.Sprintf("%d of %d open throughout", s.MinLive, s.Plan.Connections)
	if s.Reconnects+s.Renewed > 0 {
		live += fmt.Sprintf(", %d reconnected, %d renewed", s.Reconnects, s.Renewed)
	}
	if c := s.Latencies.Connect; c != nil {
		live += fmt.Sprintf(", connect p50 %s max %s", units.Nanos(float64(c.P50)), units.Nanos(float64(c.Max)))
	}
	all := []model.Row{{Name: "rate", Text: rate}, {Name: "bytes",
		Text: fmt.Sprintf("sent %s (%s/s), received %s (%s/s)", units.Bytes(float64(s.BytesSent)),
			units.Bytes(s.BytesSentHz), units.Bytes(float64(s.BytesReceived)), units.Bytes(s.BytesReceivedHz))},
		{Name: "connections", Text: live}}
	if s.Waited > 0 {
		all = append(all, model.Row{Name: "waited", Text: units.Count(s.Waited) +
			" requests were due while all connections were busy"})
	}
	return all
}

// loadCodes counts the answers of a load test by status; none without any.
func loadCodes(s *recording.Summary) []model.Row {
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(s.Codes)) {
		name := load.CodeName(uint16(code))
		if code == 0 {
			name = "none"
		}
		codes = append(codes, fmt.Sprintf("%s: %s", name, units.Count(s.Codes[code])))
	}
	if codes == nil {
		return nil
	}
	text := strings.Join(codes, ", ")
	if s.Redirects > 0 {
		text += fmt.Sprintf(" (%s redirects, counted and not followed)", units.Count(s.Redirects))
	}
	return []model.Row{{Name: "status codes", Text: text}}
}

// loadNext is the command that goes on from a load test that measured something.
func loadNext(d *loadtests.Document) model.Command {
	s, known := d.Summary, d.Command != nil
	plot := ""
	if d.File != "" {
		plot = shellwords.Join([]string{"hone", "load", "plot", d.File})
	}
	switch {
	case known && !s.Valid && s.Requests.Answered == 0:
		return model.Command{Line: d.Command.One().String(), What: "does one request get its answer?"}
	case !s.Valid && plot != "":
		return model.Command{Line: plot, What: "when did it go wrong?"}
	case known && s.Valid && s.Loop == "closed" && s.AchievedHz >= 10:
		return model.Command{Line: d.Command.AtRate(int(0.7 * s.AchievedHz)).String(),
			What: "response time at 70 % of this rate"}
	case plot != "":
		return model.Command{Line: plot}
	case known && s.Latency.Count > 0:
		u := units.Nanoseconds.Pick(float64(2 * s.Latency.P99))
		limit := int(float64(2*s.Latency.P99)/u.Scale) + 1
		return model.Command{Line: d.Command.Finding(fmt.Sprintf("p99<%d%s", limit, u.Name)).String(),
			What: "the highest rate that holds this limit"}
	}
	return model.Command{Line: "hone load --help"}
}

// SearchOf is how the highest rate was found.
func SearchOf(s *loadtests.Search) model.Row {
	var limits []string
	for _, l := range s.Limits {
		limits = append(limits, l.String())
	}
	row := model.Row{Name: "search", Text: fmt.Sprintf("%s holds up to %s", strings.Join(limits, " and "),
		units.Rate(s.BestHz))}
	if s.HighHz > 0 {
		row.Text += fmt.Sprintf(" (90 %% interval %s ... %s)", units.Rate(s.LowHz), units.Rate(s.HighHz))
	}
	if s.BestHz == 0 {
		row.Text = fmt.Sprintf("no rate was found at which %s holds", strings.Join(limits, " and "))
	}
	if s.WorstHz > 0 {
		row.Text += fmt.Sprintf("; %s was too much", units.Rate(s.WorstHz))
	}
	if s.Within > 0 {
		row.Text += fmt.Sprintf("; searched for %s of %s", units.Seconds(s.Took), units.Seconds(s.Within))
	}
	if s.Generator {
		row.Note = "the load generator set this limit; the target may take more (more --set workers, or CPUs of its own)"
	}
	return row
}

package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// LoadOptions is what a report on a load test needs beside the recording.
type LoadOptions struct {
	// File is where the recording is, for the commands that go on from it; empty if it was
	// not kept.
	File string
	// Run is the name of the run in the ledger; empty if it is not there.
	Run string
	// Command is the command line of the test, for the next command; nil where it is not known, or a stranger's.
	Command spec.Line
}

// Load writes the report on a load test: whether the measurement can be trusted, its
// conditions, the account, rates, latencies, what was answered and what went wrong.
func Load(w io.Writer, r *recording.Recording, o LoadOptions) error {
	s := recording.Summarize(r)
	s.Run = o.Run
	tally := r.Tally()
	b := &strings.Builder{}
	loadText(b, r.Header, r.Final.Notes, s, tally.Latency(), o)
	return write(w, b)
}

// loadText is the report. notes are those of the final account, latency the distribution that
// speaks for the target.
func loadText(b *strings.Builder, h recording.Header, notes []string, s recording.Summary, latency *hdrhistogram.Histogram, o LoadOptions) {
	h, notes, s, o = printable.Document(h), printable.Document(notes), printable.Document(s), printable.Document(o)
	loadCheck(b, s)
	loadConditions(b, h, notes)
	loadAccount(b, s)
	loadNumbers(b, s)
	latencyTable(b, s)
	if s.Latency.Count > 0 {
		fmt.Fprintln(b)
		fmt.Fprint(b, bars(headline(s), classes(latency)))
	}
	fmt.Fprintln(b)
	loadReplies(b, s)
	targetTable(b, s.Targets)
	stageTable(b, s)
	generator(b, s)
	for _, t := range s.Thresholds {
		fmt.Fprintln(b, ThresholdText(t))
	}
	if s.Run != "" {
		fmt.Fprintf(b, "run %s is in the ledger: %s\n", s.Run, strings.Join(storedCommands(s, o.Command), ", "))
	}
	fmt.Fprintf(b, "next: %s\n", nextOfLoad(s, o))
}

// ThresholdText says whether a limit of a load test held.
func ThresholdText(t recording.ThresholdResult) string {
	word := "passed"
	if t.Failed {
		word = "FAILED"
	}
	return fmt.Sprintf("threshold %s: %s (measured: %s)", word, t.Rule, t.Measured)
}

// storedCommands show a load test that is in the ledger.
func storedCommands(s recording.Summary, line spec.Line) []string {
	return []string{line.Stored("show", s.Run) + " (this again)", loadHistory(s.Target, s.Loop, line)}
}

// loadHistory is the command that shows the tests of a target over time.
func loadHistory(target, loop string, line spec.Line) string {
	measure := compare.Throughput.Key
	if loop == "open" {
		measure = "p99"
	}
	return line.Stored("history", "--measure="+measure, "--target="+target)
}

// headline names the distribution that speaks for the target.
func headline(s recording.Summary) string { return LoadLatencyKind(s.Loop) }

// LoadLatencyKind is what the latency of a loop, "open" or "closed", is called.
func LoadLatencyKind(loop string) string {
	if loop == "open" {
		return "response time"
	}
	return "service time"
}

// loadCheck says first whether the numbers can be trusted.
func loadCheck(b *strings.Builder, s recording.Summary) {
	parts := loadCheckParts(s)
	if invalid := loadInvalid(s); invalid != "" {
		fmt.Fprintln(b, invalid)
	} else {
		wrapped(b, "measurement ok: ", ", ", parts)
	}
	for _, n := range LoadNotes(s) {
		fmt.Fprintln(b, n)
	}
}

// LoadCheck says whether the numbers of a load test can be trusted, and ok that they can.
func LoadCheck(s recording.Summary) (text string, ok bool) {
	if invalid := loadInvalid(s); invalid != "" {
		return invalid, false
	}
	parts := loadCheckParts(s)
	return "measurement ok: " + strings.Join(parts, ", "), true
}

// loadInvalid is the line of a measurement that cannot be trusted; empty of one that can.
func loadInvalid(s recording.Summary) string {
	switch bad := load.Invalid(s.Doubts); {
	case bad != nil:
		return "measurement INVALID: " + plain(bad.Text)
	case s.Requests.Answered+s.Requests.Failed == 0:
		return "measurement INVALID: no request was answered"
	}
	return ""
}

// loadCheckParts are what a valid measurement rests on.
func loadCheckParts(s recording.Summary) []string {
	parts := []string{fmt.Sprintf("load generator at %.0f %% of its CPU", 100*s.Generator.Busy)}
	if l := s.Latencies.Lag; l != nil {
		parts = append(parts, "send lag p99 "+units.Nanos(float64(l.P99)))
	}
	if s.Loop == "open" && s.Requests.Scheduled > 0 {
		parts = append(parts, fmt.Sprintf("%s %% of the requests due were sent",
			share(float64(s.Requests.Sent)/float64(s.Requests.Scheduled))))
	}
	return append(parts, fmt.Sprintf("replies %s %% right", share(1-s.ErrorShare)))
}

// LoadNotes are the doubts about a load test beside the one that the check names.
func LoadNotes(s recording.Summary) (notes []Note) {
	bad := load.Invalid(s.Doubts)
	for i := range s.Doubts {
		d := &s.Doubts[i]
		switch {
		case d == bad, bad != nil && d.Fatal && d.Text == bad.Text:
		case d.Fatal:
			notes = append(notes, Note{"invalid too", plain(d.Text)})
		default:
			notes = append(notes, Note{"note", plain(d.Text)})
		}
	}
	return notes
}

// loadConditions says under which load and where the numbers were taken.
func loadConditions(b *strings.Builder, h recording.Header, notes []string) {
	wrapped(b, "under: ", "; ", LoadConditions(h))
	for _, n := range slices.Concat(h.Notes, notes) {
		fmt.Fprintf(b, "note: %s\n", plain(n))
	}
}

// loadWidth is how wide a report gets, in columns.
const loadWidth = 100

// wrapped writes parts behind a label, as one line or, where that gets too long, with
// further ones below the first part.
func wrapped(b *strings.Builder, label, between string, parts []string) {
	indent := strings.Repeat(" ", min(len(label), 10))
	line := label
	for i, part := range parts {
		part = plain(part)
		if i < len(parts)-1 {
			part += between
		}
		if i > 0 && len(line)+len(strings.TrimRight(part, " ")) > loadWidth {
			fmt.Fprintln(b, strings.TrimRight(line, " "))
			line = indent
		}
		line += part
	}
	fmt.Fprintln(b, line)
}

// LoadConditions are the parts of the line of conditions, the target first.
func LoadConditions(h recording.Header) []string {
	parts := []string{h.Target, connectionsText(h.Plan), loopText(h.Schedule)}
	if n := len(h.Parts); n > 1 {
		parts = append(parts, fmt.Sprintf("%d generators together", n))
	}
	machine := strings.Join(nonEmpty(h.Machine.CPU, h.Machine.CPUs, h.Machine.OS), ", ")
	parts = append(parts, nonEmpty(machine)...)
	if h.Hone != "" {
		parts = append(parts, "hone "+h.Hone)
	}
	return append(parts, h.Start.UTC().Format("2006-01-02 15:04:05 UTC"))
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

// loadAccount prints the two identities, and the line that RPC benchmarks are published
// with.
func loadAccount(b *strings.Builder, s recording.Summary) {
	fmt.Fprintln(b)
	for i, line := range LoadAccount(s) {
		fmt.Fprintf(b, "%-9s %s\n", []string{"requests:", ""}[min(i, 1)], line)
	}
	if w := s.WarmUp; w != nil {
		fmt.Fprintf(b, "warm-up:  %s before that: sent %s, answered %s, failed %s, unanswered %s; in no other number here\n",
			units.Seconds(w.For), units.Count(w.Sent), units.Count(w.Answered), units.Count(w.Failed), units.Count(w.Unanswered))
	}
	fmt.Fprintln(b, Published(s))
}

// LoadAccount are the identities that hold for the requests of a load test.
func LoadAccount(s recording.Summary) []string {
	a := s.Account
	lines := []string{fmt.Sprintf("scheduled %s = sent %s + unsent %s", units.Count(a.Scheduled), units.Count(a.Sent), units.Count(a.Unsent))}
	sent := units.Count(a.Sent)
	if settled := a.Answered + a.Failed + a.Unanswered; s.WarmUp != nil && settled > a.Sent { // in a slow target's favour, if unsaid
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
	return lines
}

// Published is the line that RPC benchmarks report: time taken, requests sent, answers
// received, succeeded and failed, and right answers per second of the time
// taken, rounded down.
func Published(s recording.Summary) string {
	q := s.Requests
	tps := 0.0
	if s.Duration > 0 {
		tps = float64(q.Answered) / s.Duration.Seconds()
	}
	return fmt.Sprintf("took %s ms, sent %s, received %s, succeeded %s, failed %s, TPS %s",
		units.Count(uint64(max(0, s.Duration.Round(time.Millisecond).Milliseconds()))), units.Count(q.Sent),
		units.Count(q.Answered+answeredWrong(s)), units.Count(q.Answered), units.Count(q.Failed), units.Count(uint64(tps)))
}

// answeredWrong is the number of failed requests that had an answer.
func answeredWrong(s recording.Summary) uint64 {
	return s.Requests.Failed - min(s.Requests.Lost, s.Requests.Failed)
}

// loadNumbers is rates and bytes.
func loadNumbers(b *strings.Builder, s recording.Summary) {
	tw := leftColumns(b)
	for _, f := range LoadNumbers(s) {
		fmt.Fprintf(tw, "%s\t%s\n", f.Name, f.Text)
	}
	tw.Flush()
}

// LoadNumbers are the rates, bytes and connections of a load test.
func LoadNumbers(s recording.Summary) []Row {
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
	facts := []Row{{Name: "rate", Text: rate}, {Name: "bytes", Text: fmt.Sprintf("sent %s (%s/s), received %s (%s/s)", units.Bytes(float64(s.BytesSent)),
		units.Bytes(s.BytesSentHz), units.Bytes(float64(s.BytesReceived)), units.Bytes(s.BytesReceivedHz))}, {Name: "connections", Text: live}}
	if s.Waited > 0 {
		facts = append(facts, Row{Name: "waited", Text: units.Count(s.Waited) + " requests were due while all connections were busy"})
	}
	return facts
}

// loadReplies is status codes and errors by cause.
func loadReplies(b *strings.Builder, s recording.Summary) {
	if line := LoadCodes(s); line != "" {
		fmt.Fprintln(b, "status codes: "+line)
	}
	writeCauses(b, s.Causes, s.WrongStatuses)
	if len(s.Causes) == 0 {
		fmt.Fprintln(b, "errors: none")
	}
}

// LoadCodes counts the answers of a load test by status; empty without any.
func LoadCodes(s recording.Summary) string {
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(s.Codes)) {
		name := load.CodeName(uint16(code))
		if code == 0 {
			name = "none"
		}
		codes = append(codes, fmt.Sprintf("%s: %s", name, units.Count(s.Codes[code])))
	}
	line := strings.Join(codes, ", ")
	if line != "" && s.Redirects > 0 {
		line += fmt.Sprintf(" (%s redirects, counted and not followed)", units.Count(s.Redirects))
	}
	return line
}

// nextOfLoad is the command that goes on from here, and says what is missing in it.
func nextOfLoad(s recording.Summary, o LoadOptions) string {
	line, why := spec.Line(nil), ""
	switch known := o.Command != nil; {
	case known && !s.Valid && s.Requests.Answered == 0:
		line, why = o.Command.One(), "does one request get its answer?"
	case !s.Valid && o.File != "":
		return "hone load plot " + shellWord(o.File) + " (when did it go wrong?)"
	case known && s.Valid && s.Loop == "closed" && s.AchievedHz >= 10:
		line, why = o.Command.AtRate(int(0.7*s.AchievedHz)), "response time at 70 % of this rate"
	case o.File != "":
		return "hone load plot " + shellWord(o.File)
	case known && s.Latency.Count > 0:
		u := units.Nanoseconds.Pick(float64(2 * s.Latency.P99))
		limit := int(float64(2*s.Latency.P99)/u.Scale) + 1
		line, why = o.Command.Finding(fmt.Sprintf("p99<%d%s", limit, u.Name)), "the highest rate that holds this limit"
	default:
		return "hone load --help"
	}
	return fmt.Sprintf("%s (%s)%s", line, why, spec.Unset(line.String()))
}

// shellWord is text as one word of a shell, safe to copy.
func shellWord(text string) string {
	text = plain(text)
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// plain keeps what a file says from steering the terminal: control characters become
// question marks.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, text)
}

package loadtests

import (
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Schema is the schema of Document. A change that an old reader would misread gets a new number.
const Schema = "hone.loadrun/1"

// Document is the document of a load test in the ledger: what its report says, but for the
// distribution of its latency, which is that of the run's slices.
type Document struct {
	Schema  string        `json:"schema"`
	ID      string        `json:"id"`
	Status  ledger.Status `json:"status"`
	Reason  string        `json:"reason,omitempty" printable:"lines"`
	Started time.Time     `json:"started"`
	// Elapsed is from the first connect to the end, warm-up and search included; 0 while the test goes on.
	Elapsed time.Duration `json:"elapsed_ns"`
	// Label and Target are the target, without what may be secret.
	Label  string           `json:"label"`
	Target string           `json:"target"`
	Header recording.Header `json:"header"`
	// Command is the command line that asked for it, without secrets.
	Command spec.Line `json:"asked_by,omitempty"`
	// Notes are those of the recording's final account.
	Notes []string `json:"notes,omitempty"`
	// Summary is without its time line, which the slices are. Nil where nothing was measured.
	Summary *recording.Summary `json:"summary,omitempty"`
	// Search is how the highest rate was found; nil if none was asked for.
	Search *Search `json:"search,omitempty"`
	// File is where the raw recording was kept; empty if it was not.
	File string `json:"file,omitempty"`
}

// Summarize fills in what a recording says.
func (d *Document) Summarize(rec *recording.Recording) {
	s := recording.Summarize(rec)
	s.Timeline, s.Run = nil, d.ID
	d.Header, d.Notes, d.Summary = rec.Header, rec.Final.Notes, &s
}

// Measures are the results that lists and histories show, under the names that they have in runs of programs.
func (d *Document) Measures() []ledger.MeasureValue {
	if d.Summary == nil || d.Summary.Latency.Count == 0 {
		return nil
	}
	all := []ledger.MeasureValue{{Name: measure.Throughput.Key, Unit: measure.Throughput.Unit,
		Value: d.Summary.AchievedHz}}
	all = append(all, percentiles(d.Summary.Latency, false)...)
	if l := d.Summary.Latencies.FirstByte; l != nil {
		all = append(all, percentiles(*l, true)...)
	}
	if d.Summary.Messages > 0 {
		all = append(all, ledger.MeasureValue{Name: measure.Messages.Key, Unit: measure.Messages.Unit,
			Value: d.Summary.MessagesHz})
	}
	return all
}

// percentiles are the measures that are percentiles of a latency, or of the time to the first byte, as far as l
// resolves them.
func percentiles(l recording.Latency, firstByte bool) (all []ledger.MeasureValue) {
	of := map[float64]time.Duration{0.5: l.P50, 0.9: l.P90, 0.99: l.P99, 0.999: l.P999}
	for _, m := range measure.All {
		if v, known := of[m.Quantile]; known && m.Level == judge.Pooled && m.FirstByte == firstByte &&
			stats.Resolves(l.Count, m.Quantile) {
			all = append(all, ledger.MeasureValue{Name: m.Key, Unit: m.Unit, Value: float64(v)})
		}
	}
	return all
}

// DocumentOf is a recording as the ledger would have it: its document and its slices, under a name.
func DocumentOf(name string, rec *recording.Recording) (Document, []packed.Slice) {
	doc := Document{Schema: Schema, ID: name, Status: ledger.Complete, Label: rec.Header.Target,
		Target: rec.Header.Target}
	doc.Summarize(rec)
	var all []packed.Slice
	for i, s := range rec.Slices {
		all = append(all, SliceOf(i, s))
		doc.Elapsed = max(doc.Elapsed, s.Offset+s.Duration)
	}
	return doc, all
}

// SliceOf is a slice of a recording as the ledger has it. Its histogram is the one that the report is about.
func SliceOf(index int, s packed.Slice) packed.Slice {
	s = s.Headline()
	s.Place = packed.Place{Index: index, Pair: index, First: true}
	return s
}

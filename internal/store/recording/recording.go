// Package recording is what is stored of one load test: its conditions, its slices with
// their histograms and its final account, as a file that can be reported, merged and
// plotted at any later time.
package recording

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/load"
)

// Schema is the version of the file format that this package writes and reads.
const Schema = 2

// Recording is the raw result of one load test, or the sum of several that ran side by
// side (see Merge).
type Recording struct {
	Header Header
	// Slices are in the order of their offsets.
	Slices []packed.Slice
	Final  Final
	// Truncated: the file breaks off before its last line, because the generator died or
	// its disk was full. Slices holds what was there; Final.Counts is added up from it.
	Truncated bool
}

// Setup is what a recording was made with: which generator sent what, and when.
type Setup struct {
	// Hone and Go are the versions of hone and of the toolchain that built it.
	Hone    string  `json:"hone,omitempty"`
	Go      string  `json:"go,omitempty"`
	Machine Machine `json:"machine"`
	// Start is when the first slice began.
	Start    time.Time     `json:"start"`
	Plan     load.Plan     `json:"plan"`
	Schedule load.Schedule `json:"schedule"`
	// Calibration is what the generator can do on this machine; nil if not measured.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// Header is what was known before the first request.
type Header struct {
	// Schema is set by the writer.
	Schema int `json:"schema"`
	Setup
	// Target is as the user wrote it, but for what redact.URL leaves out.
	Target string `json:"target"`
	// Protocol is the name of the protocol, "http" for every version and transport of
	// HTTP.
	Protocol string `json:"protocol,omitempty"`
	// Targets are the names of the targets that slices tell apart; nil where there are not several.
	Targets []string `json:"targets,omitempty"`
	// Options are the options of the protocol as its own document, without its
	// secrets.
	Options json.RawMessage `json:"options,omitempty"`
	// Drain and Interval are those of load.Stretch.
	Drain    time.Duration `json:"drain_ns,omitempty"`
	Interval time.Duration `json:"interval_ns,omitempty"`
	// WarmUp is the load before the first slice, which no slice counts; nil if there was none.
	WarmUp *WarmUp `json:"warm_up,omitempty"`
	// Notes are remarks for the reader of a report.
	Notes []string `json:"notes,omitempty"`
	// Parts are the recordings that a merged one is made of; nil otherwise. Then the plan
	// and the schedule are their sums.
	Parts []Part `json:"parts,omitempty"`
}

// WarmUp is what was sent before the first slice and what came of it.
type WarmUp struct {
	// For is how long requests were sent, as asked for.
	For time.Duration `json:"for_ns"`
	Account
}

// add is both together, which ran at the same time; either may be nil.
func (w *WarmUp) add(o *WarmUp) *WarmUp {
	if w == nil || o == nil {
		return cmp.Or(w, o)
	}
	return &WarmUp{For: max(w.For, o.For), Account: w.Account.plus(o.Account)}
}

// Machine is where the generator ran. The host's name is left out on purpose: recordings
// are mailed around.
type Machine struct {
	CPU  string `json:"cpu,omitempty"`
	CPUs string `json:"cpus,omitempty"`
	OS   string `json:"os,omitempty"`
}

// Calibration is the generator against a server that does nothing, on the same machine.
type Calibration struct {
	// CeilingHz is the most requests per second it reached.
	CeilingHz float64 `json:"ceiling_hz,omitempty"`
	// FloorP50 and FloorP99 are quantiles of the service time with one connection: no
	// target can show less.
	FloorP50 time.Duration `json:"floor_p50_ns,omitempty"`
	FloorP99 time.Duration `json:"floor_p99_ns,omitempty"`
	// CPUPerRequest is the generator's own CPU time for one request.
	CPUPerRequest time.Duration `json:"cpu_per_request_ns,omitempty"`
	// LagP50 and LagP99 are quantiles of the send lag of an open loop.
	LagP50 time.Duration `json:"lag_p50_ns,omitempty"`
	LagP99 time.Duration `json:"lag_p99_ns,omitempty"`
}

// Part is one recording of a merged one. Its schedule comes without its replay.
type Part struct {
	Setup
	// Took is the time from Start to the end of its last slice.
	Took time.Duration `json:"took_ns"`
	// Replayed is the number of moments of the replay.
	Replayed int `json:"replayed,omitempty"`
}

// Final is what was known after the last answer.
type Final struct {
	// Counts is the account of the whole session, as load.Session.Close gives it. It
	// balances. Of hone load it is that of the slices; a session of one's own may hold a
	// warm-up that they do not.
	Counts load.Counts `json:"-"`
	// Doubts are the reasons to distrust the measurement, the fatal ones first.
	Doubts []load.Doubt `json:"doubts,omitempty"`
	// Thresholds are the limits that the user set. A merged recording has none: they have
	// to be applied again.
	Thresholds []ThresholdResult `json:"thresholds,omitempty"`
	// Connect is how long connecting took, in nanoseconds; nil if that is not known.
	Connect *hdrhistogram.Histogram `json:"-"`
	// Pauses are those of the generator's own garbage collector.
	Pauses load.Pauses `json:"pauses"`
	// Interrupted: the user ended the test before its schedule did.
	Interrupted bool `json:"interrupted,omitempty"`
	// Notes are remarks for the reader of a report on what came up meanwhile.
	Notes []string `json:"notes,omitempty"`
}

// ThresholdResult is one limit and whether it held.
type ThresholdResult struct {
	// Rule is the limit as the user wrote it: "p99>300ms".
	Rule string `json:"rule"`
	// Measured is the value that it was held against, with its unit.
	Measured string `json:"measured"`
	// Failed: the limit was broken.
	Failed bool `json:"failed,omitempty"`
}

// New returns an empty recording that Add fills.
func New(h Header) *Recording { return &Recording{Header: h.clean()} }

// Add packs a slice after those that are there. The slice stays the caller's.
func (r *Recording) Add(s load.Slice) error {
	p, err := packed.Of(s)
	if err == nil {
		r.Slices = append(r.Slices, p)
	}
	return err
}

// Tally sums the slices. Its Unsent and Unanswered are those of the final account.
func (r *Recording) Tally() load.Tally {
	var t load.Tally
	for _, s := range r.Slices {
		t.Add(s.Unpack())
	}
	t.Unsent, t.Unanswered = r.Final.Counts.Unsent, r.Final.Counts.Unanswered
	return t
}

// clean is h as it may be written down.
func (h Header) clean() Header {
	h.Schema = Schema
	h.Target = redact.URL(h.Target)
	h.Start = h.Start.Round(0).UTC()
	return h
}

// counted is the account that the slices alone give.
func counted(slices []packed.Slice) load.Counts {
	var t load.Tally
	for _, s := range slices {
		t.Add(s.Slice)
	}
	return t.Counts
}

package recording

import (
	"fmt"
	"time"

	"github.com/gohone/hone/load"
)

// The lines of the file. Each is one JSON object with one key that says what it is:
// header, slice or final.

type headerLine struct {
	Header Header `json:"header"`
}

type sliceLine struct {
	Slice *wireSlice `json:"slice"`
}

type finalLine struct {
	Final *wireFinal `json:"final"`
}

// wireSlice is a slice as it stands in the file.
type wireSlice struct {
	Offset        time.Duration  `json:"offset_ns"`
	Stage         int            `json:"stage,omitempty"`
	Start         time.Time      `json:"start"`
	Duration      time.Duration  `json:"duration_ns"`
	Draining      time.Duration  `json:"draining_ns,omitempty"`
	Silent        time.Duration  `json:"silent_ns,omitempty"`
	Counts        wireCounts     `json:"counts"`
	Codes         map[int]uint64 `json:"codes,omitempty"`
	Service       Packed         `json:"service,omitempty"`
	Response      Packed         `json:"response,omitempty"`
	Lag           Packed         `json:"lag,omitempty"`
	Age           Packed         `json:"age,omitempty"`
	FailedLatency Packed         `json:"failed_latency,omitempty"`
	Dropped       uint64         `json:"dropped,omitempty"`
	Waited        uint64         `json:"waited,omitempty"`
	Live          int            `json:"live"`
	Stalled       int            `json:"stalled,omitempty"`
	Reconnects    int            `json:"reconnects,omitempty"`
	Renewed       int            `json:"renewed,omitempty"`
	WorkerCPU     time.Duration  `json:"worker_cpu_ns"`
	WorkerWall    time.Duration  `json:"worker_wall_ns"`
	Spin          time.Duration  `json:"spin_ns,omitempty"`
}

// wireFinal is a Final as it stands in the file.
type wireFinal struct {
	Counts      wireCounts        `json:"counts"`
	Doubts      []load.Doubt      `json:"doubts,omitempty"`
	Thresholds  []ThresholdResult `json:"thresholds,omitempty"`
	Connect     Packed            `json:"connect,omitempty"`
	Pauses      load.Pauses       `json:"pauses"`
	Interrupted bool              `json:"interrupted,omitempty"`
	Notes       []string          `json:"notes,omitempty"`
	// Truncated: written from a recording that broke off.
	Truncated bool `json:"truncated,omitempty"`
}

// wireCounts is load.Counts with causes of any number: a later hone knows more.
type wireCounts struct {
	Scheduled     uint64        `json:"scheduled"`
	Sent          uint64        `json:"sent"`
	Unsent        uint64        `json:"unsent,omitempty"`
	Answered      uint64        `json:"answered"`
	Failed        uint64        `json:"failed,omitempty"`
	Unanswered    uint64        `json:"unanswered,omitempty"`
	Lost          uint64        `json:"lost,omitempty"`
	Stray         uint64        `json:"stray,omitempty"`
	Causes        []uint64      `json:"causes,omitempty"`
	Statuses      load.Statuses `json:"wrong_statuses,omitzero"`
	BytesSent     uint64        `json:"bytes_sent"`
	BytesReceived uint64        `json:"bytes_received"`
}

func wireCountsOf(c load.Counts) wireCounts {
	used := 0
	for i, n := range c.Causes {
		if n > 0 {
			used = i + 1
		}
	}
	return wireCounts{
		Scheduled: c.Scheduled, Sent: c.Sent, Unsent: c.Unsent, Answered: c.Answered,
		Failed: c.Failed, Unanswered: c.Unanswered, Lost: c.Lost, Stray: c.Stray, Causes: c.Causes[:used], Statuses: c.WrongStatuses,
		BytesSent: c.BytesSent, BytesReceived: c.BytesReceived,
	}
}

func (w wireCounts) counts() (load.Counts, error) {
	c := load.Counts{
		Scheduled: w.Scheduled, Sent: w.Sent, Unsent: w.Unsent, Answered: w.Answered,
		Failed: w.Failed, Unanswered: w.Unanswered, Lost: w.Lost, Stray: w.Stray, WrongStatuses: w.Statuses,
		BytesSent: w.BytesSent, BytesReceived: w.BytesReceived,
	}
	for i, n := range w.Causes {
		if i >= len(c.Causes) && n > 0 {
			return c, fmt.Errorf("cause number %d is unknown to this version of hone", i)
		}
		if i < len(c.Causes) {
			c.Causes[i] = n
		}
	}
	return c, nil
}

func wireSliceOf(s Slice) *wireSlice {
	b := s.Bare
	return &wireSlice{
		Offset: b.Offset, Stage: b.Stage, Start: b.Start, Duration: b.Duration, Draining: b.Draining, Silent: b.Silent,
		Counts: wireCountsOf(b.Counts), Codes: b.Codes,
		Service: s.Service, Response: s.Response, Lag: s.Lag, Age: s.Age, FailedLatency: s.FailedLatency,
		Dropped: b.Dropped, Waited: b.Waited, Live: b.Live, Stalled: b.Stalled, Reconnects: b.Reconnects, Renewed: b.Renewed,
		WorkerCPU: b.WorkerCPU, WorkerWall: b.WorkerWall, Spin: b.Spin,
	}
}

func (w *wireSlice) slice() (Slice, error) {
	counts, err := w.Counts.counts()
	if err != nil {
		return Slice{}, err
	}
	for _, v := range []struct {
		name  string
		value int64
	}{
		{"offset_ns", int64(w.Offset)}, {"stage", int64(w.Stage)}, {"duration_ns", int64(w.Duration)},
		{"draining_ns", int64(w.Draining)}, {"silent_ns", int64(w.Silent)}, {"live", int64(w.Live)}, {"stalled", int64(w.Stalled)},
		{"reconnects", int64(w.Reconnects)}, {"renewed", int64(w.Renewed)},
		{"worker_cpu_ns", int64(w.WorkerCPU)}, {"worker_wall_ns", int64(w.WorkerWall)}, {"spin_ns", int64(w.Spin)},
	} {
		if v.value < 0 {
			return Slice{}, fmt.Errorf("%s is %d, want 0 or more", v.name, v.value)
		}
	}
	for code := range w.Codes {
		if code < 0 || code >= load.MaxCode {
			return Slice{}, fmt.Errorf("status code %d, want 0 to %d", code, load.MaxCode-1)
		}
	}
	return Slice{
		Bare: load.Slice{
			Offset: w.Offset, Stage: w.Stage, Start: w.Start, Duration: w.Duration, Draining: w.Draining, Silent: w.Silent,
			Counts: counts, Codes: w.Codes, Dropped: w.Dropped, Waited: w.Waited, Live: w.Live, Stalled: w.Stalled,
			Reconnects: w.Reconnects, Renewed: w.Renewed,
			WorkerCPU: w.WorkerCPU, WorkerWall: w.WorkerWall, Spin: w.Spin,
		},
		Service: w.Service, Response: w.Response, Lag: w.Lag, Age: w.Age, FailedLatency: w.FailedLatency,
	}, nil
}

func wireFinalOf(f Final) (*wireFinal, error) {
	connect, err := packHistogram(f.Connect)
	return &wireFinal{
		Counts: wireCountsOf(f.Counts), Doubts: f.Doubts, Thresholds: f.Thresholds,
		Connect: connect, Pauses: f.Pauses, Interrupted: f.Interrupted, Notes: f.Notes,
	}, err
}

func (w *wireFinal) final() (Final, error) {
	counts, err := w.Counts.counts()
	if err != nil {
		return Final{}, err
	}
	connect, err := w.Connect.checked()
	if err != nil {
		return Final{}, fmt.Errorf("connect: %w", err)
	}
	return Final{
		Counts: counts, Doubts: w.Doubts, Thresholds: w.Thresholds,
		Connect: connect, Pauses: w.Pauses, Interrupted: w.Interrupted, Notes: w.Notes,
	}, nil
}

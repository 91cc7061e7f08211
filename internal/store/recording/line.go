package recording

import (
	"fmt"

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
	Slice
	Counts wireCounts `json:"counts"`
}

// wireFinal is a Final as it stands in the file.
type wireFinal struct {
	Final
	Counts  wireCounts `json:"counts"`
	Connect Packed     `json:"connect,omitempty"`
	// Truncated: written from a recording that broke off.
	Truncated bool `json:"truncated,omitempty"`
}

// wireCounts is load.Counts with causes of any number: a later hone knows more.
type wireCounts struct {
	load.Counts
	Causes []uint64 `json:"causes,omitempty"`
}

func wireCountsOf(c load.Counts) wireCounts {
	used := 0
	for i, n := range c.Causes {
		if n > 0 {
			used = i + 1
		}
	}
	return wireCounts{Counts: c, Causes: c.Causes[:used]}
}

func (w wireCounts) counts() (load.Counts, error) {
	c := w.Counts
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

func wireSliceOf(s Slice) *wireSlice { return &wireSlice{Slice: s, Counts: wireCountsOf(s.Counts)} }

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
		{"draining_ns", int64(w.Draining)}, {"silent_ns", int64(w.Silent)}, {"live", int64(w.Live)},
		{"stalled", int64(w.Stalled)},
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
	s := w.Slice
	s.Counts = counts
	return s, nil
}

func wireFinalOf(f Final) (*wireFinal, error) {
	connect, err := packHistogram(f.Connect)
	return &wireFinal{Final: f, Counts: wireCountsOf(f.Counts), Connect: connect}, err
}

func (w *wireFinal) final() (f Final, err error) {
	f = w.Final
	if f.Counts, err = w.Counts.counts(); err != nil {
		return Final{}, err
	}
	if f.Connect, err = w.Connect.checked(); err != nil {
		return Final{}, fmt.Errorf("connect: %w", err)
	}
	return f, nil
}

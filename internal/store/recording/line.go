package recording

import (
	"fmt"

	"github.com/gohone/hone/internal/store/packed"
)

// The lines of the file. Each is one JSON object with one key that says what it is:
// header, slice or final.

type headerLine struct {
	Header Header `json:"header"`
}

type sliceLine struct {
	Slice *packed.Slice `json:"slice"`
}

type finalLine struct {
	Final *wireFinal `json:"final"`
}

// wireFinal is a Final as it stands in the file.
type wireFinal struct {
	Final
	Counts  packed.Counts    `json:"counts"`
	Connect packed.Histogram `json:"connect,omitempty"`
	// Truncated: written from a recording that broke off.
	Truncated bool `json:"truncated,omitempty"`
}

func wireFinalOf(f Final) (*wireFinal, error) {
	connect, err := packed.Pack(f.Connect)
	return &wireFinal{Final: f, Counts: packed.CountsOf(f.Counts), Connect: connect}, err
}

func (w *wireFinal) final() (f Final, err error) {
	f = w.Final
	if f.Counts, err = w.Counts.Load(); err != nil {
		return Final{}, err
	}
	if f.Connect, err = w.Connect.Decode(); err != nil {
		return Final{}, fmt.Errorf("connect: %w", err)
	}
	return f, nil
}

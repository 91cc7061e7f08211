package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session
// begins with a line that names it.
const resultsSchema = "hone.calibrate/1"

// The kinds of records beside those of trials.
const (
	kindSession = "session"
	kindPlant   = "plant"
)

// record is one line. What its kind does not have is nil.
type record struct {
	Kind       string      `json:"kind"`
	Service    string      `json:"service,omitempty"`
	At         time.Time   `json:"at"`
	Session    *session    `json:"session,omitempty"`
	Plant      *plant      `json:"plant,omitempty"`
	Comparison *comparison `json:"comparison,omitempty"`
	Classic    *classic    `json:"classic,omitempty"`
}

// session says where and how what follows was measured.
type session struct {
	Schema  string   `json:"schema"`
	Hone    string   `json:"hone"` // what hone version prints
	Machine []string `json:"machine"`
	Command string   `json:"command"`
}

// comparison is one verdict of hone on CPU time per request.
type comparison struct {
	Spin int `json:"spin,omitempty"`
	// Slow is the side that spins, A or B; empty if the variants are equal.
	Slow string `json:"slow,omitempty"`
	// Verdict is hone's word about B; failed if hone came to no end.
	Verdict string  `json:"verdict"`
	Ratio   float64 `json:"ratio,omitempty"`
	Low     float64 `json:"low,omitempty"`
	High    float64 `json:"high,omitempty"` // 0: not bounded
	Starts  int     `json:"starts,omitempty"`
	Pairs   int     `json:"pairs,omitempty"`
	Seconds float64 `json:"s"`
	Reason  string  `json:"reason,omitempty"` // of what is invalid or failed
}

// classic is old-then-new: samples of one process of A, then of one process of B, the same
// program, judged by the test that benchstat uses.
type classic struct {
	Samples int     `json:"n"` // of each side
	Seconds float64 `json:"s"`
	// Ratio is of the medians, B to A; P is the p-value.
	CPURatio  float64 `json:"cpu_ratio"`
	CPUP      float64 `json:"cpu_p"`
	RateRatio float64 `json:"rate_ratio"`
	RateP     float64 `json:"rate_p"`
}

// The words of hone that this program acts on.
const (
	faster    = "faster"
	slower    = "slower"
	same      = "same"
	undecided = "undecided"
	invalid   = "invalid"
	failed    = "failed" // of this program's own: no verdict and no JSON
)

// completed says whether the trial need not be taken again.
func (r record) completed() bool {
	return r.Classic != nil || (r.Comparison != nil && r.Comparison.Verdict != failed)
}

// different says whether the variants were called different.
func (c comparison) different() bool { return c.Verdict == faster || c.Verdict == slower }

// found says whether the planted slow-down was found on the right side.
func (c comparison) found() bool {
	return (c.Slow == "B" && c.Verdict == slower) || (c.Slow == "A" && c.Verdict == faster)
}

// slowdown is the ratio slow to fast side; B to A if they are equal. 0 where unknown.
func (c comparison) slowdown() float64 {
	if c.Slow == "A" && c.Ratio != 0 {
		return 1 / c.Ratio
	}
	return c.Ratio
}

// readRecords reads a file of results; none is no results. A last line without its end
// was cut off by a crash and is left out; whole says how long the file is without it.
func readRecords(path string) (records []record, whole int64, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read results: %w", err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	for i, line := range slices.Collect(bytes.Lines(text)) {
		var r record
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, 0, fmt.Errorf("read %s:%d: %w", path, i+1, err)
		}
		if r.Session != nil && r.Session.Schema != resultsSchema {
			return nil, 0, fmt.Errorf("read %s:%d: schema %q, want %q", path, i+1, r.Session.Schema, resultsSchema)
		}
		records = append(records, r)
	}
	return records, int64(len(text)), nil
}

// journal appends records to a file, each at once, and keeps all of them.
type journal struct {
	file    *os.File
	records []record
}

// openJournal goes on with a file of results, or starts it anew and keeps the old one
// beside it, with the ending .old.
func openJournal(path string, resume bool) (*journal, error) {
	if !resume {
		if err := os.Rename(path, path+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("keep old results: %w", err)
		}
	}
	records, whole, err := readRecords(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open results: %w", err)
	}
	if err := f.Truncate(whole); err != nil {
		return nil, errors.Join(fmt.Errorf("cut off the torn last line of %s: %w", path, err), f.Close())
	}
	return &journal{f, records}, nil
}

// add appends a record.
func (j *journal) add(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	j.records = append(j.records, r)
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// lastPlant is the plant of a service that is in force; nil if there is none yet.
func lastPlant(records []record, service string) *plant {
	for _, r := range slices.Backward(records) {
		if r.Plant != nil && r.Service == service {
			return r.Plant
		}
	}
	return nil
}

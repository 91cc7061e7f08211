package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
	"unicode/utf8"
)

// recordSchema is the version of a record's file, and so of the ledger.
const recordSchema = "hone.record/4"

// Record is all that the ledger knows of one run or comparison, apart from its slices and
// the bytes of its artefacts. One file holds it, and an archive carries it.
type Record struct {
	// Seq is the place in the order of arrival, from 1.
	Seq int64 `json:"seq"`
	// Exactly one of the two is there. Their Doc is empty: see Doc.
	Run        *Run        `json:"run,omitempty"`
	Comparison *Comparison `json:"comparison,omitempty"`
	// Writer is the process that records it; nil at its end.
	Writer *process `json:"writer,omitempty"`
	// Doc is the caller's document as text, so that every byte of it is kept.
	Doc string `json:"doc,omitempty"`
	// Mark says which hone measured it: who has the key that made it of Content knows that it was their own. Empty
	// in archives, and of what came with one.
	Mark string `json:"mark,omitempty"`
	// The rest is that of a run. Measures and Slices come with its end.
	Measures  []MeasureValue `json:"measures,omitempty"`
	Artefacts []Artefact     `json:"artefacts,omitempty"`
	Slices    SliceFile      `json:"slices,omitzero"`
}

// Ref is the id of the record's run or comparison.
func (r *Record) Ref() Ref {
	if r.Run != nil {
		return Ref{KindRun, r.Run.ID}
	}
	return Ref{KindComparison, r.Comparison.ID}
}

// clone is a copy that shares no run, comparison or list with r.
func (r *Record) clone() *Record {
	c := *r
	if r.Run != nil {
		run := *r.Run
		c.Run = &run
	} else {
		comparison := *r.Comparison
		c.Comparison = &comparison
	}
	c.Artefacts, c.Measures = slices.Clone(r.Artefacts), slices.Clone(r.Measures)
	return &c
}

// state is where status and reason stand.
func (r *Record) state() (status *Status, reason *string, finished *time.Time) {
	if r.Run != nil {
		return &r.Run.Status, &r.Run.Reason, &r.Run.Finished
	}
	return &r.Comparison.Status, &r.Comparison.Reason, &r.Comparison.Finished
}

// Status is that of the record's run or comparison: what a dead process left running has crashed.
func (r *Record) Status() Status {
	status, _ := r.seen()
	return status
}

// seen is the state as a reader reports it: a dead process is not running, even before the
// next writer has said so.
func (r *Record) seen() (Status, string) {
	status, reason, _ := r.state()
	if *status == Running && !r.Writer.alive() {
		return Crashed, crashReason(r.Writer.PID)
	}
	return *status, *reason
}

// ended says that the record does not change any more.
func (r *Record) ended() bool { return r.Writer == nil }

// encode returns the record as the content of a file.
func (r *Record) encode() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode record of %v: %w", r.Ref(), err)
	}
	return seal(recordSchema, text), nil
}

// decodeRecord is the inverse of encode. The content is not trusted: it refuses what no
// ledger can have stored.
func decodeRecord(data []byte) (*Record, error) {
	text, err := unseal(recordSchema, data)
	if err != nil {
		return nil, err
	}
	if err := checkDensity(text, 2, listed); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := &Record{}
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("read record: there is more after it")
	}
	if (r.Run == nil) == (r.Comparison == nil) {
		return nil, errors.New("read record: want one run or one comparison")
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("read record of %s %.20q: %w", r.Ref().Kind, r.Ref().ID, err)
	}
	return r, nil
}

// check reports all that a record cannot be.
func (r *Record) check() error {
	var faults []error
	if r.Seq < 1 {
		faults = append(faults, fmt.Errorf("its place is %d, want 1 or more", r.Seq))
	}
	faults = append(faults, checkDoc([]byte(r.Doc)))
	if c := r.Comparison; c != nil {
		faults = append(faults, r.checkEnd(c.ID, c.Status, c.Started, c.Finished), checkIDs(c.Runs...))
		if len(c.Doc) > 0 || len(r.Measures)+len(r.Artefacts) > 0 || r.Slices != (SliceFile{}) {
			faults = append(faults, errors.New("it has parts that a comparison does not have"))
		}
		return errors.Join(faults...)
	}
	run := r.Run
	faults = append(faults, r.checkEnd(run.ID, run.Status, run.Started, run.Finished))
	if run.Comparison != "" {
		faults = append(faults, checkIDs(run.Comparison))
	}
	if len(run.Doc) > 0 {
		faults = append(faults, errors.New("its document is in the wrong place"))
	}
	return errors.Join(append(faults, r.Slices.check(), r.checkParts())...)
}

func checkIDs(all ...string) error {
	for _, id := range all {
		if len(id) != idLength || !isPrefix(id) {
			return fmt.Errorf("%.20q is not an id", id)
		}
	}
	return nil
}

// checkEnd checks what runs and comparisons have in common.
func (r *Record) checkEnd(id string, status Status, started, finished time.Time) error {
	faults := []error{checkIDs(id)}
	if (status == Running) != (r.Writer != nil) ||
		status != Running && status != Crashed && !slices.Contains(finals, status) {
		faults = append(faults, fmt.Errorf("its status is %.20q", status))
	}
	if !storable(started) {
		faults = append(faults, fmt.Errorf("it started at %v", started))
	}
	if finished.IsZero() {
		if slices.Contains(finals, status) {
			faults = append(faults, errors.New("it has no end"))
		}
	} else if !storable(finished) || finished.Before(started) {
		faults = append(faults, fmt.Errorf("it ended at %v", finished))
	}
	return errors.Join(faults...)
}

// storable says whether t, in nanoseconds since 1970, fits 64 bits.
func storable(t time.Time) bool {
	return !t.Before(time.Unix(0, math.MinInt64)) && !t.After(time.Unix(0, math.MaxInt64))
}

// checkParts checks the parts of a run against each other.
func (r *Record) checkParts() error {
	var faults []error
	measures := map[string]bool{}
	for _, m := range r.Measures {
		if err := m.check(); err != nil {
			faults = append(faults, fmt.Errorf("measure %.40q: %w", m.Name, err))
		}
		if measures[m.Name] {
			faults = append(faults, fmt.Errorf("measure %.40q is there twice", m.Name))
		}
		measures[m.Name] = true
	}
	names := map[[2]string]bool{}
	for _, a := range r.Artefacts {
		key := [2]string{a.Kind, a.Name}
		if a.Run != r.Run.ID || a.Kind == "" || a.Name == "" || a.Size < 0 || names[key] || !isSum(a.SHA256) {
			faults = append(faults, fmt.Errorf("artefact %.40q is there twice or wrong", a.Name))
		}
		names[key] = true
	}
	return errors.Join(faults...)
}

// checkDoc accepts no document or one JSON value in UTF-8 (RFC 8259, section 8.1),
// which a record can keep to the byte.
func checkDoc(doc json.RawMessage) error {
	if len(doc) > 0 && (!json.Valid(doc) || !utf8.Valid(doc)) {
		return errors.New("the document is not JSON")
	}
	return nil
}

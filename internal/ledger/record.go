package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
	"unicode/utf8"
)

// recordSchema is the version of a record's JSON.
const recordSchema = "hone.record/1"

// Record is all that the ledger knows of one finished run or comparison, apart from
// the bytes of its artefacts. It is what the rows of the database can be made from
// again, and what an archive carries.
type Record struct {
	Schema string `json:"schema"`
	// Seq is the place in the order of arrival, from 1.
	Seq int64 `json:"seq"`
	// Exactly one of the two is there. Their Doc is empty: see Doc.
	Run        *Run        `json:"run,omitempty"`
	Comparison *Comparison `json:"comparison,omitempty"`
	// Doc is the caller's document as text, so that every byte of it is kept.
	Doc string `json:"doc,omitempty"`
	// Mark says which hone measured it: who has the key that made it of Content knows that it was their own. Empty
	// in archives, and of what came with one.
	Mark string `json:"mark,omitempty"`
	// The rest is that of a run.
	Slices    []Slice        `json:"slices,omitempty"`
	Measures  []MeasureValue `json:"measures,omitempty"`
	Artefacts []Artefact     `json:"artefacts,omitempty"`
}

// Origin is where an imported run or comparison was measured.
type Origin struct {
	// Host is the name of the machine that measured it.
	Host string `json:"host"`
	// Imported is UTC; zero in an archive.
	Imported time.Time `json:"imported,omitzero"`
}

// Ref is the id of the record's run or comparison.
func (r *Record) Ref() Ref {
	if r.Run != nil {
		return Ref{KindRun, r.Run.ID}
	}
	return Ref{KindComparison, r.Comparison.ID}
}

// encode returns the record as JSON, and the SHA-256 of that in hex digits. Equal
// rows give equal bytes.
func (r *Record) encode() (text []byte, sum string, err error) {
	if text, err = json.Marshal(r); err != nil {
		return nil, "", fmt.Errorf("encode record of %v: %w", r.Ref(), err)
	}
	return text, sumOf(text), nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// decodeRecord reads the JSON of a record, whose origin is not known, and refuses
// what could not have been finished in a ledger.
func decodeRecord(text []byte) (*Record, error) {
	if err := checkDensity(text); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := &Record{}
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("read record: there is more behind it")
	}
	if r.Schema != recordSchema {
		return nil, fmt.Errorf("read record: schema %q, want %q", r.Schema, recordSchema)
	}
	if (r.Run == nil) == (r.Comparison == nil) {
		return nil, errors.New("read record: want one run or one comparison")
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("read record of %s %.20q: %w", r.Ref().Kind, r.Ref().ID, err)
	}
	return r, nil
}

// check reports all that the rows of a finished run or comparison cannot be.
func (r *Record) check() error {
	faults := []error{checkSeq(r.Seq), checkDoc([]byte(r.Doc))}
	if c := r.Comparison; c != nil {
		faults = append(faults, checkEnd(c.ID, c.Status, c.Started, c.Finished), checkIDs(c.Runs...))
		if len(c.Doc) > 0 || len(r.Slices)+len(r.Measures)+len(r.Artefacts) > 0 {
			faults = append(faults, errors.New("it has parts that a comparison does not have"))
		}
		return errors.Join(faults...)
	}
	run := r.Run
	faults = append(faults, checkEnd(run.ID, run.Status, run.Started, run.Finished))
	if run.Comparison != "" {
		faults = append(faults, checkIDs(run.Comparison))
	}
	if len(run.Doc) > 0 {
		faults = append(faults, errors.New("its document is in the wrong place"))
	}
	return errors.Join(append(faults, r.checkParts())...)
}

func checkSeq(seq int64) error {
	if seq < 1 {
		return fmt.Errorf("its place is %d, want 1 or more", seq)
	}
	return nil
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
func checkEnd(id string, status Status, started, finished time.Time) error {
	faults := []error{checkIDs(id)}
	if status != Crashed && !slices.Contains(finals, status) {
		faults = append(faults, fmt.Errorf("its status is %.20q", status))
	}
	if !storable(started) {
		faults = append(faults, fmt.Errorf("it started at %v", started))
	}
	if finished.IsZero() {
		if status != Crashed {
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

// checkParts checks the rows of a run against each other.
func (r *Record) checkParts() error {
	var faults []error
	indices := map[int]bool{}
	for _, s := range r.Slices {
		if indices[s.Index] {
			faults = append(faults, fmt.Errorf("slice %d is there twice", s.Index))
		}
		indices[s.Index] = true
		faults = append(faults, s.check())
	}
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

package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Origin is where an imported run or comparison was measured.
type Origin struct {
	// Host is the name of the machine that measured it.
	Host string `json:"host"`
	// Imported is UTC; zero in an archive.
	Imported time.Time `json:"imported,omitzero"`
}

// Origin says where the run or comparison was measured; nil for the ledger that has it.
func (r *Record) Origin() *Origin {
	if r.Run != nil {
		return r.Run.Origin
	}
	return r.Comparison.Origin
}

// At returns a copy of r at this place in the order of arrival and with this origin, for another ledger: without the
// mark.
func (r *Record) At(seq int64, o *Origin) *Record {
	moved := r.clone()
	moved.Seq, moved.Mark = seq, ""
	if moved.Run != nil {
		moved.Run.Origin = o
	} else {
		moved.Comparison.Origin = o
	}
	return moved
}

// contentHead keeps marks apart from all else that a key may ever mark. With its NUL no text file is a Content.
const contentHead = "hone.mark/2\x00"

// Content is what a mark and the user's trust in a run cover: all of the record but what a ledger has of its own, which
// are place, origin and the mark itself. Which runs a comparison has, its runs say.
func (r *Record) Content() ([]byte, error) {
	bare := r.At(1, nil)
	if bare.Comparison != nil {
		bare.Comparison.Runs = nil
	}
	text, err := json.Marshal(bare)
	if err != nil {
		return nil, fmt.Errorf("encode record of %v: %w", r.Ref(), err)
	}
	return append([]byte(contentHead), text...), nil
}

// sameMeasurement says whether both records are of one measurement: they may differ in
// what each ledger has of its own.
func sameMeasurement(a, b *Record) (bool, error) {
	one, err := a.Content()
	if err != nil {
		return false, err
	}
	other, err := b.Content()
	return err == nil && bytes.Equal(one, other), err
}

// CompareRecords sorts comparisons before runs, and each by their arrival.
func CompareRecords(a, b *Record) int {
	return cmp.Or(cmp.Compare(a.Ref().Kind, b.Ref().Kind), cmp.Compare(a.Seq, b.Seq)) // "comparison" is before "run"
}

const recordSuffix = ".json"

// Pack returns the record as the content of a file, and the name of that file: its id and the
// SHA-256 of its content. DecodeRecord wants both.
func (r *Record) Pack() (name string, data []byte, err error) {
	data, err = r.encode()
	return r.Ref().ID + "-" + sumOf(data) + recordSuffix, data, err
}

// parseRecordName takes a name that Pack gave apart.
func parseRecordName(name string) (id, sum string, ok bool) {
	stem, ok := strings.CutSuffix(name, recordSuffix)
	id, sum, cut := strings.Cut(stem, "-")
	return id, sum, ok && cut && checkIDs(id) == nil && isSum(sum)
}

// IsRecordName says whether name has the form of those that Pack gives.
func IsRecordName(name string) bool {
	_, _, ok := parseRecordName(name)
	return ok
}

// DecodeRecord reads what Pack gave, and checks it against its name. The content is not
// trusted: a record that has not ended is refused, too.
func DecodeRecord(name string, data []byte) (*Record, error) {
	id, sum, ok := parseRecordName(name)
	if !ok {
		return nil, fmt.Errorf("%.80q is not the name of a record", name)
	}
	if sumOf(data) != sum {
		return nil, fmt.Errorf("%w: its SHA-256 is %s", errDamaged, sumOf(data))
	}
	r, err := decodeRecord(data)
	switch {
	case err != nil:
		return nil, err
	case r.Ref().ID != id:
		return nil, fmt.Errorf("it is the record of %s", r.Ref().ID)
	case !r.ended():
		return nil, errors.New("its run or comparison has not ended")
	}
	return r, nil
}

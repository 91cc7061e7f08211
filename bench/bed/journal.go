package bed

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

// Entry is what each line of a file of results has. A record is a struct that embeds it.
type Entry struct {
	// At is when the line was written, to the second. Journal.Add sets it where it is zero.
	At time.Time `json:"at"`
	// Session is set in the line that a session begins with, and in no other.
	Session *Session `json:"session,omitempty"`
}

// Record is one line of a file of results: a struct that embeds an Entry.
type Record interface {
	Head() Entry
}

// Head implements Record.
func (e Entry) Head() Entry { return e }

// set changes the entry of a record, given its address.
func (e *Entry) set(to Entry) { *e = to }

// Last are the latest records by their keys. key says of a record whether it has one: the line of a session has none.
func Last[K comparable, R Record](records []R, key func(R) (K, bool)) map[K]R {
	all := map[K]R{}
	for _, r := range records {
		if k, ok := key(r); ok {
			all[k] = r
		}
	}
	return all
}

// Current says whether the records of a session are of hone as it is now.
type Current func(*Session) bool

// OfVersion are the sessions of a version of hone.
func OfVersion(version string) Current { return func(s *Session) bool { return s.Hone == version } }

// Done says which keys have a result by hone as it is now: ok says of the latest such record whether it is one.
func Done[K comparable, R Record](records []R, current Current, key func(R) (K, bool), ok func(R) bool) map[K]bool {
	now, all := false, map[K]bool{}
	for _, r := range records {
		if session := r.Head().Session; session != nil {
			now = current(session)
		} else if k, has := key(r); has && now {
			all[k] = ok(r)
		}
	}
	return all
}

// with is a record with another entry.
func with[R Record](r R, e Entry) R {
	any(&r).(interface{ set(Entry) }).set(e)
	return r
}

// Read reads a file of results; none is no results. A last line without its end was cut
// off by a crash and is left out.
func Read[R Record](path, schema string) ([]R, error) {
	records, _, _, err := read[R](path, schema)
	return records, err
}

// read also says how long the file is without a torn last line, and whether there is one.
func read[R Record](path, schema string) (records []R, whole int64, torn bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, false, nil
	}
	if err != nil {
		return nil, 0, false, fmt.Errorf("read results: %w", err)
	}
	all := len(text)
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	for i, line := range slices.Collect(bytes.Lines(text)) {
		var r R
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, 0, false, fmt.Errorf("read %s:%d: %w", path, i+1, err)
		}
		if s := r.Head().Session; s != nil && s.Schema != schema {
			return nil, 0, false, fmt.Errorf("read %s:%d: schema %q, want %q", path, i+1, s.Schema, schema)
		}
		records = append(records, r)
	}
	return records, int64(len(text)), len(text) < all, nil
}

// Journal appends records to a file, each at once, and keeps all of them.
type Journal[R Record] struct {
	file *os.File
	// Records are those of the file, and those that were added.
	Records []R
	// Session is the one at work. It is written before its first record.
	Session *Session
	// Current says of earlier sessions whether they are of the same hone.
	Current Current
	begun   bool // the session's line is written
}

// Open goes on with a file of results, or starts it anew and keeps the old one beside it,
// with the ending .old.
func Open[R Record](path, schema string, resume bool) (*Journal[R], error) {
	if !resume {
		if err := os.Rename(path, path+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("keep old results: %w", err)
		}
	}
	records, whole, torn, err := read[R](path, schema)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open results: %w", err)
	}
	// Only a torn line is cut off: another session may append to the same file.
	if torn {
		if err := f.Truncate(whole); err != nil {
			return nil, errors.Join(fmt.Errorf("cut off the torn last line of %s: %w", path, err), f.Close())
		}
	}
	return &Journal[R]{file: f, Records: records}, nil
}

// Add appends a record, after the line of the session if it is the first.
func (j *Journal[R]) Add(r R) error {
	now := time.Now().UTC().Truncate(time.Second)
	if j.Session != nil && !j.begun {
		j.begun = true
		var first R
		if err := j.write(with(first, Entry{now, j.Session})); err != nil {
			return err
		}
	}
	if r.Head().At.IsZero() {
		r = with(r, Entry{At: now})
	}
	return j.write(r)
}

func (j *Journal[R]) write(r R) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	j.Records = append(j.Records, r)
	return nil
}

// Close closes the file.
func (j *Journal[R]) Close() error { return j.file.Close() }

package bed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Record is one line of a file of results.
type Record interface {
	// Head is when it was written, and the session if it is the line that one begins with,
	// else nil.
	Head() (time.Time, *Session)
}

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

// Done says which keys have a result by a version of hone: ok says of the latest record of that version whether it is
// one.
func Done[K comparable, R Record](records []R, version string, key func(R) (K, bool), ok func(R) bool) map[K]bool {
	by, all := "", map[K]bool{}
	for _, r := range records {
		if _, session := r.Head(); session != nil {
			by = session.Hone
		} else if k, has := key(r); has && by == version {
			all[k] = ok(r)
		}
	}
	return all
}

// Now is the moment of a record, to the second.
func Now() time.Time { return time.Now().UTC().Truncate(time.Second) }

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
		if _, s := r.Head(); s != nil && s.Schema != schema {
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
	head    *R // of this session, which is written before its first record
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

// Add appends a record, after the head of the session if it is the first.
func (j *Journal[R]) Add(r R) error {
	if head := j.head; head != nil {
		j.head = nil
		if err := j.Add(*head); err != nil {
			return err
		}
	}
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

// Measure opens the case's journal, has it filled, and closes it. head makes the first record of the session that
// begins.
func Measure[R Record](ctx context.Context, b *Bed, schema string, head func(time.Time, *Session) R,
	fill func(*Journal[R]) error) (err error) {
	session, err := b.Session(ctx, schema)
	if err != nil {
		return err
	}
	j, err := Open[R](b.Records, schema, b.Resume)
	if err != nil {
		return err
	}
	first := head(Now(), session)
	j.head = &first
	defer func() { err = errors.Join(err, j.Close()) }()
	return fill(j)
}

// patience is how many measurements may fail one after the other before it gives up: one may be bad luck, three are a
// fault that will not go away by itself.
const patience = 3

// Take carries out what is to do, in order, and keeps the records of each at once, also those that come with an error.
// It ends when all is done, when the time of -for is over, or with Ctrl-C. What failed is said, and is an error at the
// end.
func Take[T any, R Record](ctx context.Context, b *Bed, j *Journal[R], todo []T, name func(T) string,
	take func(context.Context, T) ([]R, error)) error {
	end := time.Now().Add(b.For)
	inARow, all := 0, error(nil)
	for i, t := range todo {
		if b.For > 0 && time.Now().After(end) {
			break
		}
		records, err := take(ctx, t)
		if ctx.Err() != nil {
			break
		}
		for _, r := range records {
			b.Progress("%d of %d, %s: %v", i+1, len(todo), name(t), r)
			if err := j.Add(r); err != nil {
				return err
			}
		}
		if err == nil {
			inARow = 0
			continue
		}
		b.Progress("%d of %d, %s: FAILED: %v", i+1, len(todo), name(t), err)
		if all, inARow = errors.Join(all, fmt.Errorf("%s: %w", name(t), err)), inARow+1; inARow == patience {
			return fmt.Errorf("%d failed in a row: %w", patience, all)
		}
	}
	return all
}

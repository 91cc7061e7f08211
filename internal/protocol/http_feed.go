package protocol

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// The bounds of a feed. A value costs 16 bytes beside its text, a row 24.
const (
	maxFeedBytes  = 64 << 20
	maxFeedRows   = 1_000_000
	maxFeedValues = 8_000_000
)

// ReadFeed reads a feed. A name that ends in .jsonl or .ndjson is JSON lines: an object
// on each line, whose keys on the first line are the columns. Strings go in as their
// text, all other values as the JSON they are; other lines may have further keys, which
// are not used, but must have all of these. Every other name is CSV (RFC 4180) whose
// first row names the columns. Empty lines are skipped.
//
// A feed is at most 64 MiB, 1,000,000 rows and 8,000,000 values long, and has at least
// one row. Errors are *fail.Error of kind BadInput and begin with name:line:column
// (bytes, from 1) where there is such a place.
func ReadFeed(name string, r io.Reader) (*Feed, error) {
	limited := &io.LimitedReader{R: r, N: maxFeedBytes + 1}
	in := bufio.NewReader(limited)
	if mark, err := in.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = in.Discard(len(mark)) // it is buffered: this cannot fail
	}
	read := readCSV
	if ext := strings.ToLower(path.Ext(name)); ext == ".jsonl" || ext == ".ndjson" {
		read = readJSONLines
	}
	f, err := read(name, in)
	if limited.N <= 0 { // what was cut off explains any other error
		return nil, feedError("%s: the feed is larger than %d MiB", name, maxFeedBytes>>20).
			WithHint("take a sample of its rows")
	}
	if err != nil {
		return nil, err
	}
	if len(f.Rows) == 0 {
		return nil, feedError("%s: the feed has no rows", name).WithHint("give it at least one")
	}
	return f, nil
}

// byteOrderMark is what spreadsheets put in front of UTF-8.
const byteOrderMark = "\uFEFF"

func feedError(format string, args ...any) *fail.Error {
	return fail.New(fail.BadInput, format, args...)
}

func readCSV(name string, r io.Reader) (*Feed, error) {
	in := csv.NewReader(r)
	names, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, feedError("%s: the feed is empty", name).WithHint("begin with a row of column names")
	}
	if err != nil {
		return nil, csvError(name, err, names)
	}
	f := &Feed{Names: names}
	if err := f.named(name, 1); err != nil {
		return nil, err
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return nil, csvError(name, err, names)
		}
		line, _ := in.FieldPos(0)
		if err := f.add(name, line, row); err != nil {
			return nil, err
		}
	}
}

// csvError puts the place in front.
func csvError(name string, err error, names []string) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return feedError("read feed %s: %w", name, err)
	}
	e := feedError("%s:%d:%d: %w", name, p.Line, p.Column, p.Err)
	if errors.Is(err, csv.ErrFieldCount) {
		return e.WithHint("every row needs a value for each of %s", strings.Join(names, ", "))
	}
	return e.WithHint(`put a value with commas, quotes or line ends in quotes, and double the quotes in it: "say ""hi"""`)
}

// named checks the names of the columns, which stand on the given line.
func (f *Feed) named(name string, line int) error {
	err := checkNames(f.Names)
	var e *fail.Error
	if errors.As(err, &e) {
		return feedError("%s:%d:1: %w", name, line, err).WithHint("%s", e.Hint)
	}
	return err
}

// add adds a row that stands on the given line.
func (f *Feed) add(name string, line int, row []string) error {
	f.Rows = append(f.Rows, row)
	n := len(f.Rows)
	if n > maxFeedRows || n*len(f.Names) > maxFeedValues {
		return feedError("%s:%d:1: the feed has more than %d rows or %d values", name, line, maxFeedRows, maxFeedValues).
			WithHint("take a sample of its rows, or leave out columns that no {name} uses")
	}
	return nil
}

func readJSONLines(name string, r io.Reader) (*Feed, error) {
	f := &Feed{}
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, feedError("read feed %s: %w", name, err)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			if err := f.addObject(name, line, text); err != nil {
				return nil, err
			}
		}
		if err != nil {
			return f, nil
		}
	}
}

// addObject adds the row that a line of JSON holds. The first names the columns.
func (f *Feed) addObject(name string, line int, text []byte) error {
	fields, end, err := readObject(text)
	if err != nil {
		return feedError("%s:%d:%d: %w", name, line, end+1, err).
			WithHint(`every line is one object: {"name": "value"}`)
	}
	if f.Names == nil {
		for _, g := range fields {
			f.Names = append(f.Names, g.name)
		}
		if err := f.named(name, line); err != nil {
			return err
		}
	}
	row := make([]string, len(f.Names))
	for i, want := range f.Names {
		value, ok := find(fields, i, want)
		if !ok {
			return feedError("%s:%d:%d: key %q is missing, which the first line has", name, line, end+1, want).
				WithHint("every line needs %s", strings.Join(f.Names, ", "))
		}
		row[i] = value
	}
	return f.add(name, line, row)
}

// find finds a field, which mostly is at its usual place.
func find(fields []field, usual int, name string) (value string, ok bool) {
	if usual < len(fields) && fields[usual].name == name {
		return fields[usual].value, true
	}
	for _, g := range fields {
		if g.name == name {
			return g.value, true
		}
	}
	return "", false
}

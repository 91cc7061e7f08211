package wire

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/units"
)

// feedBounds bounds the memory that a feed takes: a value costs 16 bytes beside its
// text, a row 24.
type feedBounds struct{ bytes, rows, values int }

// maxFeed is what ReadFeed takes: at most about 250 MB in memory.
func maxFeed() feedBounds {
	return feedBounds{bytes: int(inputs.Feed.Most), rows: 1_000_000, values: 8_000_000}
}

// ReadFeed reads a feed. A name that ends in .jsonl or .ndjson is JSON lines: an object
// on each line, whose keys on the first line are the columns. Strings go in as their
// text, all other values as the JSON they are; other lines may have further keys, which
// are not used, but must have all of these. Every other name is CSV (RFC 4180) whose
// first row names the columns. Empty lines are skipped.
//
// A feed is at most 64 MiB (67.1 MB), 1,000,000 rows and 8,000,000 values long, and has at least
// one row. Errors are *fail.Error of kind BadInput and begin with name:line:column
// (bytes, from 1) where there is such a place.
func ReadFeed(name string, r io.Reader) (*Feed, error) { return readFeed(name, r, maxFeed()) }

func readFeed(name string, r io.Reader, most feedBounds) (*Feed, error) {
	bound := inputs.Feed
	bound.Most = int64(most.bytes)
	in := bufio.NewReader(inputs.Text(bound.Reader(name, r)))
	read := readCSV
	if ext := strings.ToLower(path.Ext(name)); ext == ".jsonl" || ext == ".ndjson" {
		read = readJSONLines
	}
	f := &feedReader{file: name, most: most}
	err := read(f, in)
	if large := (*inputs.TooLarge)(nil); errors.As(err, &large) {
		return nil, feedError("%w", large).WithHint("%s", large.Next)
	}
	if err != nil {
		return nil, err
	}
	if len(f.Rows) == 0 {
		return nil, feedError("%s: the feed has no rows", name).WithHint("give it at least one")
	}
	return &f.Feed, nil
}

func feedError(format string, args ...any) *fail.Error {
	return fail.New(fail.BadInput, format, args...)
}

// feedReader is a feed that is being read from a file.
type feedReader struct {
	Feed
	file string
	most feedBounds
}

func readCSV(f *feedReader, r io.Reader) error {
	in := csv.NewReader(r)
	for {
		row, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && f.Names == nil:
			return feedError("%s: the feed is empty", f.file).WithHint("begin with a row of column names")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return f.csvError(err)
		}
		line, _ := in.FieldPos(0)
		if f.Names == nil {
			err = f.name(line, row)
		} else {
			err = f.add(line, row)
		}
		if err != nil {
			return err
		}
	}
}

// csvError puts the place in front.
func (f *feedReader) csvError(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return feedError("read feed %s: %w", f.file, err)
	}
	e := feedError("%s:%d:%d: %w", f.file, p.Line, p.Column, p.Err)
	if errors.Is(err, csv.ErrFieldCount) {
		return e.WithHint("every row needs a value for each of %s", strings.Join(f.Names, ", "))
	}
	return e.WithHint(`put a value with commas, quotes or line ends in quotes, and double the quotes in it: "say ""hi"""`)
}

// name takes the names of the columns, which stand on the given line.
func (f *feedReader) name(line int, names []string) error {
	f.Names = names
	err := checkNames(names)
	var e *fail.Error
	if errors.As(err, &e) {
		return feedError("%s:%d:1: %w", f.file, line, err).WithHint("%s", e.Hint)
	}
	return err
}

// add adds a row that stands on the given line.
func (f *feedReader) add(line int, row []string) error {
	f.Rows = append(f.Rows, row)
	if n := len(f.Rows); n > f.most.rows || n*len(f.Names) > f.most.values {
		return feedError("%s:%d:1: the feed has more than %s rows or %s values", f.file, line,
			units.Count(uint64(f.most.rows)), units.Count(uint64(f.most.values))).
			WithHint("take a sample of its rows, or leave out columns that no {name} uses")
	}
	return nil
}

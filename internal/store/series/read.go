package series

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/inputs"
)

// source are the files with points of a store.
type source interface {
	// files lists them, those that end with the suffix.
	files() ([]string, error)
	// open opens one of them for reading.
	open(ctx context.Context, name string) (io.ReadCloser, error)
}

// sortSegments puts files in the order in which they were written: by base, then by number.
func sortSegments(files []string) {
	slices.SortFunc(files, func(a, b string) int {
		aBase, aN := splitSegment(a)
		bBase, bN := splitSegment(b)
		if c := strings.Compare(aBase, bBase); c != 0 {
			return c
		}
		return aN - bN
	})
}

const (
	// mostFiles is how many files of a store are read: branches by subjects, and more for long series.
	mostFiles = 10_000
	// mostFaults is how many lines of one file are named. The rest is counted.
	mostFaults = 100
)

// reader reads a store, whatever is in its files.
type reader struct {
	Content
	ids    map[string]place // of the points, by ID
	doubts *doubts
	values int64
	// full says that a bound of the whole store is reached: nothing more is read.
	full bool
	// texts are those of values, each once in memory: the points of a series have the same.
	texts map[string]string
	// listed and more are how many faults of this file are listed, and are not.
	listed, more int
	// copies says that a point may stand in several files.
	copies bool
}

// read reads all files. It fails where the files cannot be listed, and when ctx is done.
func read(ctx context.Context, from source) (Content, error) { return readAll(ctx, from, false) }

// readAll is read, of files that may have copies of points.
func readAll(ctx context.Context, from source, copies bool) (Content, error) {
	files, err := from.files()
	if err != nil {
		return Content{}, err
	}
	sortSegments(files)
	r := &reader{ids: map[string]place{}, doubts: newDoubts(), texts: map[string]string{}, copies: copies}
	if len(files) > mostFiles {
		r.fault(place{file: files[mostFiles]}, false, fmt.Sprintf("this file and %d others are not read: "+
			"a store has at most %d files", len(files)-mostFiles-1, mostFiles))
		files = files[:mostFiles]
	}
	for _, f := range files {
		if r.full {
			break
		}
		if err := r.file(ctx, from, f); err != nil {
			return Content{}, err
		}
	}
	return r.Content, nil
}

func (r *reader) fault(at place, kept bool, reason string) {
	if r.listed == mostFaults {
		r.more++
		return
	}
	r.listed++
	r.Faults = append(r.Faults, Fault{File: at.file, Line: at.line, Reason: reason, Kept: kept})
}

// file reads one file. Its only error is that of ctx: all else is a fault.
func (r *reader) file(ctx context.Context, from source, name string) error {
	r.listed, r.more = 0, 0
	in, err := from.open(ctx, name)
	if err != nil {
		r.fault(place{file: name}, false, fmt.Sprintf("the file cannot be read: %v", err))
		return ctx.Err()
	}
	defer in.Close()
	last := 0
	err = eachLine(ctx, inputs.SeriesFile.Reader("", in), func(l line) (goOn bool) {
		last = l.number
		r.line(ctx, place{name, l.number}, l)
		return !r.full
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	more := r.more
	r.listed, r.more = 0, 0
	if more > 0 {
		r.fault(place{file: name}, false, fmt.Sprintf("%d more faults are not listed", more))
	}
	if err != nil {
		r.fault(place{name, last + 1}, false, fmt.Sprintf("from here on the file is not read: %v", err))
	}
	return nil
}

// line takes one line as a point, or as a fault.
func (r *reader) line(ctx context.Context, here place, l line) {
	switch {
	case l.long:
		r.fault(here, false, inputs.SeriesLine.Beyond("").Error())
		return
	case len(bytes.TrimSpace(l.text)) == 0:
		return
	}
	p, err := decode(ctx, l.text)
	edited := errors.Is(err, errEdited)
	switch {
	case !l.ended && err != nil:
		r.fault(here, false, "the line has no end: its writer was stopped, or is still writing")
		return
	case err != nil && !edited:
		r.fault(here, false, err.Error())
		return
	}
	if first, twice := r.ids[p.ID]; twice && r.copies {
		return
	} else if twice {
		r.fault(here, false, fmt.Sprintf("the same point stands in %s line %d", first.file, first.line))
		return
	}
	if over := r.count(p); over != nil {
		r.full = true
		r.fault(here, false, fmt.Sprintf("this point and all that would be read after it are not shown: %v", over))
		return
	}
	r.ids[p.ID] = here
	r.share(&p)
	r.Points = append(r.Points, p)
	if edited {
		r.fault(here, true, err.Error())
	}
	for _, reason := range r.doubts.about(p, here) {
		r.fault(here, true, reason)
	}
}

// share lets values have the texts of those before them.
func (r *reader) share(p *Point) {
	same := func(text string) string {
		if known, is := r.texts[text]; is {
			return known
		}
		r.texts[text] = text
		return text
	}
	for i := range p.Values {
		v := &p.Values[i]
		v.Name, v.Measure, v.Unit = same(v.Name), same(v.Measure), same(v.Unit)
		v.State, v.Verdict = State(same(string(v.State))), same(v.Verdict)
	}
	for i := range p.Unchanged {
		g := &p.Unchanged[i]
		g.Prefix = same(g.Prefix)
		for _, texts := range [][]string{g.Names, g.Measures} {
			for j := range texts {
				texts[j] = same(texts[j])
			}
		}
	}
}

// count says whether the store has more than is read.
func (r *reader) count(p Point) error {
	if r.values += p.number(); r.values > inputs.SeriesValues.Most {
		return inputs.SeriesValues.Beyond("")
	}
	if int64(len(r.Points)) == inputs.SeriesPoints.Most {
		return inputs.SeriesPoints.Beyond("")
	}
	return nil
}

// line is a line of a file. Its text is valid until the next one.
type line struct {
	number int
	text   []byte // without its newline
	// long says that the line is over its bound: the text is its beginning.
	long bool
	// ended says that a newline follows.
	ended bool
}

// eachLine visits the lines of a file, until it ends, visit says no, or ctx is done.
func eachLine(ctx context.Context, r io.Reader, visit func(line) (goOn bool)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var text []byte
	for number := 1; ; number++ {
		text = text[:0]
		l := line{number: number}
		for {
			piece, err := in.ReadSlice('\n')
			if room := int(inputs.SeriesLine.Most) + 1 - len(text); len(piece) > room {
				piece, l.long = piece[:room], true
			}
			text = append(text, piece...)
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			l.ended = err == nil
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if l.ended && !l.long {
			text = text[:len(text)-1]
		}
		if !l.ended && len(text) == 0 {
			return nil
		}
		l.text = text
		if !visit(l) || !l.ended {
			return nil
		}
	}
}

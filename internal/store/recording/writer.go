package recording

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// The bounds of a file: those of the reader, which the writer keeps. A header is as long
// as its replay: 64 MiB hold about four million moments. A slice is at most five
// histograms. A million slices are eleven days of one each second.
const (
	maxLineBytes = 6 << 20
	maxSlices    = 1 << 20
)

// maxBytes is the most that a line may have.
func maxBytes(isHeader bool) int {
	if isHeader {
		return int(inputs.RecordingLine.Most)
	}
	return maxLineBytes
}

// Writer writes a recording as a stream: what was written stays readable whatever happens
// next. It is not safe for use by several goroutines at once.
type Writer struct {
	w      io.Writer
	bytes  int64 // written so far
	slices int
	err    error // the first one; nothing is written after it
}

// NewWriter writes the header to w. Each line goes out in one Write.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	wr := &Writer{w: w}
	line, err := json.Marshal(headerLine{h.clean()})
	if err != nil {
		return nil, fmt.Errorf("encode header: %w", err)
	}
	if most := maxBytes(true); len(line) > most {
		return nil, fail.New(fail.BadInput, "write recording: the header takes %d bytes, over the limit of %d",
			len(line), most).
			WithHint("replay a shorter schedule: each of its moments is kept in the header")
	}
	return wr, wr.write(line)
}

// Slice writes a slice.
func (w *Writer) Slice(s packed.Slice) error {
	if w.slices >= maxSlices {
		return fail.New(fail.BadInput, "write recording: more than %d slices", maxSlices).
			WithHint("make the slices longer with --interval")
	}
	line, err := json.Marshal(sliceLine{&s})
	if err != nil {
		return fmt.Errorf("encode slice: %w", err)
	}
	w.slices++
	return w.write(line)
}

// Close writes the last line; the writer below stays open.
func (w *Writer) Close(f Final) error { return w.close(f, false) }

// close writes the last line, which also says whether the recording was cut before.
func (w *Writer) close(f Final, truncated bool) error {
	wire, err := wireFinalOf(f)
	if err != nil {
		return err
	}
	wire.Truncated = truncated
	line, err := json.Marshal(finalLine{wire})
	if err != nil {
		return fmt.Errorf("encode final account: %w", err)
	}
	return w.write(line)
}

// write writes one line. After an error that may have left half a line nothing is added:
// half a line in the middle would make the file unreadable, at its end it is only cut.
func (w *Writer) write(line []byte) error {
	if w.err != nil {
		return w.err
	}
	n, err := w.w.Write(append(line, '\n'))
	w.bytes += int64(n)
	if err != nil {
		w.err = fmt.Errorf("write recording: %w", err)
	}
	return w.err
}

// Write writes the whole recording to w.
func (r *Recording) Write(w io.Writer) error {
	wr, err := NewWriter(w, r.Header)
	if err != nil {
		return err
	}
	for _, s := range r.Slices {
		if err := wr.Slice(s); err != nil {
			return err
		}
	}
	return wr.close(r.Final, r.Truncated)
}

package printable

import (
	"io"
	"slices"
	"sync"
)

// Writer writes text to another writer and lets nothing through that steers a terminal (see
// the package). Characters may be split over calls in any way. Several goroutines may use it.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
	// begun is the beginning of a character that the next call may complete.
	begun []byte
}

var _ io.WriteCloser = (*Writer)(nil)

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes text. Its errors are those of the writer below.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clean := text
	if len(w.begun) > 0 || cleanBytes(text) < len(text) {
		var rest []byte
		clean, rest = appendClean(nil, slices.Concat(w.begun, text))
		w.begun = slices.Clone(rest)
	}
	if err := w.pass(clean); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Close writes what is left of a character that was never completed. It does not close the
// writer below.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	clean := appendBytes(nil, w.begun)
	w.begun = nil
	return w.pass(clean)
}

// pass hands clean text down.
func (w *Writer) pass(clean []byte) error {
	if len(clean) == 0 {
		return nil
	}
	_, err := w.w.Write(clean)
	return err
}

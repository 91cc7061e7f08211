package recording

import (
	"errors"
	"fmt"
)

// SliceReader reads slices of one measurement that a stranger may have written, and refuses what no load has made:
// negative times, histograms that take much memory, or of different ranges.
type SliceReader struct{ shape geometry }

// Read reads a slice from JSON.
func (r *SliceReader) Read(raw []byte) (Slice, error) {
	var w *wireSlice
	if err := strict(raw, &w); err != nil {
		return Slice{}, err
	}
	return r.slice(w)
}

func (r *SliceReader) slice(w *wireSlice) (Slice, error) {
	if w == nil {
		return Slice{}, errors.New("it is null")
	}
	s, err := w.slice()
	if err != nil {
		return Slice{}, err
	}
	for _, h := range s.histograms() {
		if err := r.histogram(*h.Packed); err != nil {
			return Slice{}, fmt.Errorf("%s: %w", h.name, err)
		}
	}
	return s, nil
}

// histogram checks one histogram; all must have the same range.
func (r *SliceReader) histogram(packed Packed) error {
	h, err := packed.checked()
	if err != nil || h == nil {
		return err
	}
	if r.shape == (geometry{}) {
		r.shape = geometryOf(h)
	}
	if g := geometryOf(h); g != r.shape {
		return fmt.Errorf("range %v differs from that of the histograms before it, %v", g, r.shape)
	}
	return nil
}

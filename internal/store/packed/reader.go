package packed

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Reader reads slices of one measurement that a stranger may have written, and refuses what no load has made: negative
// times, histograms that take much memory, or of different ranges.
type Reader struct{ shape Shape }

// Read reads a slice from JSON.
func (r *Reader) Read(raw []byte) (Slice, error) {
	var s *Slice
	if err := json.Unmarshal(raw, &s); err != nil {
		return Slice{}, err
	}
	return r.Check(s)
}

// Check checks a slice that was read from JSON; nil is that of null.
func (r *Reader) Check(s *Slice) (Slice, error) {
	if s == nil {
		return Slice{}, errors.New("it is null")
	}
	for _, h := range s.histograms() {
		if err := r.histogram(*h.Histogram); err != nil {
			return Slice{}, fmt.Errorf("%s: %w", h.name, err)
		}
	}
	return *s, nil
}

// histogram checks one histogram; all must have the same range.
func (r *Reader) histogram(packed Histogram) error {
	h, err := packed.Decode()
	if err != nil || h == nil {
		return err
	}
	if r.shape == (Shape{}) {
		r.shape = shapeOf(h)
	}
	if g := shapeOf(h); g != r.shape {
		return fmt.Errorf("range %v differs from that of the histograms before it, %v", g, r.shape)
	}
	return nil
}

//go:build !linux

package fileopens

import "errors"

// Watch is not there on this system.
type Watch struct{}

// New is not there on this system.
func New([]string) (*Watch, error) { return nil, errors.ErrUnsupported }

// Opened has nothing.
func (w *Watch) Opened() ([]string, error) { return nil, errors.ErrUnsupported }

// Close does nothing.
func (w *Watch) Close() error { return nil }

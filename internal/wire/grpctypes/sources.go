package grpctypes

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/gohone/hone/internal/text/inputs"
)

// protoSources opens .proto files, up to the bounds of all together. Several goroutines of the compiler call it.
type protoSources struct {
	mutex           sync.Mutex
	bytes, declared int64
	large           *inputs.TooLarge // what was refused
}

func (s *protoSources) open(path string) (io.ReadCloser, error) {
	text, err := inputs.Protos.ReadFile(path)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err == nil {
		s.bytes += int64(len(text))
		// each statement has one of them
		s.declared += int64(bytes.Count(text, []byte(";")) + bytes.Count(text, []byte("{")))
		if err = inputs.Protos.Over("", s.bytes); err == nil {
			err = inputs.Declarations.Over("", s.declared)
		}
	}
	if err != nil {
		_ = errors.As(err, &s.large)
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// refused is the error for files that are too large, which the compiler may hide; nil if there is none.
func (s *protoSources) refused() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.large == nil {
		return nil
	}
	return s.large
}

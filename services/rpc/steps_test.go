package rpc

import "io"

// steps is a reader of at most step bytes at a time.
type steps struct {
	b    []byte
	step int
}

func (s *steps) Read(p []byte) (int, error) {
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.step)], s.b)
	s.b = s.b[n:]
	return n, nil
}

// appendFrame appends h with the right length, and body.
func appendFrame(dst []byte, h Header, body []byte) []byte {
	h.Length = uint32(len(body))
	return append(AppendHeader(dst, h), body...)
}

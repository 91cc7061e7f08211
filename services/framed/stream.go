package framed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// The codec of the first four stages, field by field over a reader and a writer. It
// allocates as the published server does: a payload slice per frame, a Submit per
// packet, a joined slice per answer, and what encoding/binary needs for itself. Only
// batched leaves it behind.

// readFrame reads one frame and returns its payload in a slice of its own. The error
// is io.EOF only between frames.
func readFrame(r io.Reader) ([]byte, error) {
	var length int32
	if err := binary.Read(r, binary.BigEndian, &length); err != nil {
		return nil, err
	}
	if err := checkLength(length); err != nil {
		return nil, err
	}
	payload := make([]byte, length-lengthSize)
	if _, err := io.ReadFull(r, payload); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return payload, nil
}

// decodePacket decodes a payload into a fresh Submit. It is kept out of line: inlined,
// the Submit would live on the caller's stack and pooled would have nothing to save.
//
//go:noinline
func decodePacket(payload []byte) (*Submit, error) {
	s := new(Submit)
	if err := s.Decode(payload); err != nil {
		return nil, err
	}
	return s, nil
}

// encodePacket encodes an answer as the payload of a frame.
func encodePacket(a Ack) []byte {
	return bytes.Join([][]byte{{byte(a.Command)}, a.ID[:], {a.Result}}, nil)
}

// writeFrame writes the length, then the payload.
func writeFrame(w io.Writer, payload []byte) error {
	if err := binary.Write(w, binary.BigEndian, int32(lengthSize+len(payload))); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

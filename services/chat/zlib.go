package chat

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
)

// Faults of a message's zlib stream.
var (
	errBadText     = errors.New("text is no whole zlib stream")
	errTextTooLong = errors.New("text is over 63 kB") // MaxText
)

// resultOf is what the ack of a message with such a fault says.
func resultOf(err error) Result {
	if errors.Is(err, errTextTooLong) {
		return TextTooLong
	}
	return BadText
}

// inflateNew inflates stream with a reader of its own.
func inflateNew(stream []byte) ([]byte, error) {
	in := bytes.NewReader(stream)
	r, err := zlib.NewReader(in)
	if err != nil {
		return nil, errBadText
	}
	text, err := readText(nil, r)
	return text, endOfStream(in, err)
}

// readText appends to dst, which is empty, all that r has. Whatever the stream claims,
// it stops one byte after MaxText: a stream of a thousandth of its text is refused at
// the cost of the largest message that is not.
func readText(dst []byte, r io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if len(dst) > MaxText {
			return nil, errTextTooLong
		}
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return nil, errBadText
		}
	}
}

// endOfStream adds the check that the stream ended with its frame.
func endOfStream(in *bytes.Reader, err error) error {
	if err == nil && in.Len() > 0 {
		return errBadText
	}
	return err
}

// deflateNew compresses text with a writer of its own, which is 0.8 MB of tables to
// allocate, clear, and have collected.
func deflateNew(text []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(text) // a bytes.Buffer takes everything
	w.Close()
	return out.Bytes()
}

package rpc

import (
	"bufio"
	"errors"
	"io"
	"slices"
)

// readFrame reads one frame for the stages that read frame by frame: the header, and
// the body into memory that is appended to dst. The error is io.EOF only between
// frames.
func readFrame(r *bufio.Reader, dst []byte, limit int) (Header, []byte, error) {
	front, err := peekHeader(r)
	if err != nil {
		return Header{}, dst, err
	}
	h, err := DecodeHeader(front)
	if err != nil {
		return h, dst, err
	}
	r.Discard(HeaderSize)
	if err := checkLength(h.Length, limit); err != nil {
		return h, dst, err
	}
	body, err := readBody(r, dst, int(h.Length))
	return h, body, err
}

// peekHeader waits for a header, but no longer than it takes to see that there will
// never be one.
func peekHeader(r *bufio.Reader) (front []byte, err error) {
	for _, n := range [...]int{1, 2, 3, HeaderSize} { // checkFront judges the first 3 bytes
		if front, err = r.Peek(n); err != nil {
			if len(front) > 0 {
				err = cutOff(err)
			}
			return nil, err
		}
		if err = checkFront(front); err != nil {
			return nil, err
		}
	}
	return front, nil
}

// firstBody is how much memory a length field alone is worth, in bytes.
const firstBody = 16 << 10

// readBody appends n bytes of r to dst. It takes memory as the bytes come, so that a
// client that claims a large body has to send it.
func readBody(r io.Reader, dst []byte, n int) ([]byte, error) {
	for n > 0 {
		part := min(n, max(len(dst), firstBody))
		dst = slices.Grow(dst, part)
		at := len(dst)
		dst = dst[:at+part]
		if _, err := io.ReadFull(r, dst[at:]); err != nil {
			return dst, cutOff(err)
		}
		n -= part
	}
	return dst, nil
}

// cutOff turns the end of the connection within a frame into an error of its own.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// wholeFrameWaits says whether the next readFrame ends without reading from the
// connection: with a frame, or with an error.
func wholeFrameWaits(r *bufio.Reader, limit int) bool {
	front, _ := r.Peek(min(r.Buffered(), HeaderSize))
	if len(front) < HeaderSize {
		return checkFront(front) != nil
	}
	h, err := DecodeHeader(front)
	return err != nil || checkLength(h.Length, limit) != nil || r.Buffered()-HeaderSize >= int(h.Length)
}

package rpc

import "io"

// Sizes of an inbox in bytes. It begins small, for connections that are idle; a read
// that fills it shows that more would have come, up to what a busy connection brings at
// once. Only a larger frame makes it larger still, and only for as long as it lasts.
const (
	firstInbox = 4 << 10
	busyInbox  = 64 << 10
)

// inbox is what was read from a connection and not used yet, for the stage that decodes
// frames where they lie.
type inbox struct {
	buf   []byte
	start int // of the first frame that next has not returned
	end   int // of what was read
	limit int // largest body
}

// fill reads once from r, as much as has come. The bodies that next returned are not
// valid any more.
func (in *inbox) fill(r io.Reader) error {
	in.makeRoom()
	n, err := r.Read(in.buf[in.end:])
	in.end += n
	if err == io.EOF && n == 0 && in.end > in.start {
		return io.ErrUnexpectedEOF
	}
	return err
}

// makeRoom moves what is left to the front and sees to it that there is room behind it.
// A full buffer holds the front of a single frame, whose length next has checked, so
// that it grows by bytes that really came, up to the largest frame.
func (in *inbox) makeRoom() {
	full := in.end == len(in.buf)
	if in.start > 0 {
		in.end = copy(in.buf, in.buf[in.start:in.end])
		in.start = 0
	}
	size := len(in.buf)
	switch {
	case size == 0:
		size = firstInbox
	case in.end == size:
		size = min(2*size, max(HeaderSize+in.limit, busyInbox))
	case full && size < busyInbox:
		size *= 2
	case size > busyInbox && in.end <= firstInbox:
		size = busyInbox
	default:
		return
	}
	buf := make([]byte, size)
	copy(buf, in.buf[:in.end])
	in.buf = buf
}

// next returns the next whole frame, whose body is valid until fill. It returns ok
// false if there is none, and an error, a *FrameError, if there will never be one.
func (in *inbox) next() (h Header, body []byte, ok bool, err error) {
	b := in.buf[in.start:in.end]
	if len(b) < HeaderSize {
		return h, nil, false, checkFront(b)
	}
	if h, err = DecodeHeader(b); err != nil {
		return h, nil, false, err
	}
	if err = checkLength(h.Length, in.limit); err != nil {
		return h, nil, false, err
	}
	end := HeaderSize + int(h.Length)
	if end > len(b) {
		return h, nil, false, nil
	}
	in.start += end
	return h, b[HeaderSize:end:end], true, nil
}

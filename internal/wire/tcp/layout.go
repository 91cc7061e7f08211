package tcp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

const (
	// maxFrame is the largest frame, in bytes: what the engine would hold back at
	// most. Negative lengths, read as unsigned, are above it.
	maxFrame = 16 << 20
	// maxHeader is how far into a frame its fields may reach, in bytes: far beyond
	// any header, and little enough to wait for.
	maxHeader = 64 << 10
)

// What a length field counts, see Frame.Counts.
const (
	countsRest = "rest"
	countsAll  = "all"
	countsBody = "body"
)

// validate reports all faults of the description at once, by the names of the flags.
func validate(f wire.Frame) error {
	var faults []error
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	width := func(flag string, n int) {
		if n != 0 && n != 1 && n != 2 && n != 4 && n != 8 {
			say("%s is %d, want 1, 2, 4 or 8", flag, n)
		}
	}
	place := func(flag string, n, most int) {
		if n < 0 || n > most {
			say("%s is %d, want 0 to %d", flag, n, most)
		}
	}
	width("--set tcp.width", f.Width)
	width("--set tcp.id-width", f.IDWidth)
	place("--set tcp.offset", f.Offset, maxHeader-8)
	place("--set tcp.id-offset", f.IDOffset, maxHeader-8)
	place("--set tcp.header", f.HeaderBytes, maxHeader)
	place("--set tcp.expect-at", f.ExpectAt, maxFrame-len(f.ExpectBytes))
	place("expect-length", f.ExpectLength, maxFrame)
	switch {
	case f.Counts != "" && f.Counts != countsRest && f.Counts != countsAll && f.Counts != countsBody:
		say("--set tcp.counts is %q, want %s, %s or %s", f.Counts, countsRest, countsAll, countsBody)
	case f.Counts != countsBody && f.HeaderBytes != 0:
		say("--set tcp.header goes with --set tcp.counts=%s only", countsBody)
	}
	if f.IDWidth == 0 && f.IDOffset != 0 {
		say("--set tcp.id-offset goes with --set tcp.id-width only")
	}
	if len(f.ExpectBytes) == 0 && f.ExpectAt != 0 {
		say("--set tcp.expect-at goes with --set tcp.expect only")
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	return validateTogether(f)
}

// validateTogether looks for fields that are fine alone and do not go together.
func validateTogether(f wire.Frame) error {
	var faults []error
	say := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	l := layoutOf(f)
	if f.Counts == countsBody && f.HeaderBytes < l.length.End() {
		say("--set tcp.header is %d, and the length field ends at byte %d", f.HeaderBytes, l.length.End())
	}
	if l.id.Width > 0 && l.id.At < l.length.End() && l.length.At < l.id.End() {
		say("the id (bytes %d to %d) and the length (bytes %d to %d) overlap: see --set tcp.id-offset and --set tcp.offset",
			l.id.At, l.id.End()-1, l.length.At, l.length.End()-1)
	}
	if f.ExpectLength > 0 {
		if least := max(l.head, l.least); f.ExpectLength < least {
			say("expect-length is %d, and the fields of a frame take %d bytes", f.ExpectLength, least)
		}
		if end := f.ExpectAt + len(f.ExpectBytes); len(f.ExpectBytes) > 0 && end > f.ExpectLength {
			say("--set tcp.expect ends at byte %d, after the end of an answer of expect-length %d", end, f.ExpectLength)
		}
	}
	return errors.Join(faults...)
}

// layout is a Frame made ready for use.
type layout struct {
	length, id wire.Field // id.width is 0 where there is none
	// extra is what a frame has beside the bytes its length counts; least is the size of
	// the smallest frame, head how far its fields reach.
	extra, least, head int
	expectAt           int
	expect             []byte
	expectSize         int
	checks             bool // whether anything is expected
}

// layoutOf expects a Frame whose fields are fine alone.
func layoutOf(f wire.Frame) *layout {
	l := &layout{
		length: wire.FieldOf(f.Offset, cmp.Or(f.Width, 4), f.Little), id: wire.FieldOf(f.IDOffset, f.IDWidth, f.Little),
		expectAt: f.ExpectAt, expect: f.ExpectBytes, expectSize: f.ExpectLength,
	}
	l.least = l.length.End()
	switch f.Counts {
	case countsAll:
	case countsBody:
		l.extra, l.least = f.HeaderBytes, max(l.least, f.HeaderBytes)
	default:
		l.extra = l.length.End()
	}
	l.head = l.length.End()
	if f.IDWidth > 0 {
		l.head = max(l.head, l.id.End())
	}
	l.checks = l.expectSize > 0 || len(l.expect) > 0
	return l
}

// request is body with its length filled in.
func (l *layout) request(body []byte) ([]byte, error) {
	if least := max(l.head, l.least); len(body) < least {
		return nil, fmt.Errorf("too short: the fields of a frame take %d", least)
	}
	if len(body) > maxFrame {
		return nil, fmt.Errorf("too long: a frame has at most %d", maxFrame)
	}
	count := uint64(len(body) - l.extra)
	if count > l.length.Mask {
		return nil, fmt.Errorf("the length %d does not fit into --set tcp.width %d", count, l.length.Width)
	}
	out := bytes.Clone(body)
	l.length.Put(out, count)
	return out, nil
}

// size is the size of the frame at the front of in, which holds the length field; -1 if
// there is no such frame.
func (l *layout) size(in []byte) int {
	count := l.length.Get(in)
	if count > maxFrame {
		return -1
	}
	size := int(count) + l.extra
	if size < l.least || size > maxFrame {
		return -1
	}
	return size
}

// check says whether a whole frame is a right answer.
func (l *layout) check(frame []byte) load.Cause {
	if l.expectSize > 0 && len(frame) != l.expectSize {
		return load.WrongLength
	}
	if end := l.expectAt + len(l.expect); len(frame) < end || string(frame[l.expectAt:end]) != string(l.expect) {
		return load.WrongBody
	}
	return load.OK
}

// checkSize says whether a right answer can have that size.
func (l *layout) checkSize(size int) load.Cause {
	switch {
	case l.expectSize != 0 && size != l.expectSize:
		return load.WrongLength
	case len(l.expect) > 0 && size < l.expectAt+len(l.expect):
		return load.WrongBody
	}
	return load.OK
}

// checkPiece compares what a piece of a frame, from offset pos on, has of the expected
// bytes.
func (l *layout) checkPiece(piece []byte, pos int) bool {
	from, to := max(pos, l.expectAt), min(pos+len(piece), l.expectAt+len(l.expect))
	return from >= to || bytes.Equal(piece[from-pos:to-pos], l.expect[from-l.expectAt:to-l.expectAt])
}

package rpc

import "fmt"

// Cause classes bad frames.
type Cause uint8

// The causes. Each closes the connection it came on: past a bad frame it is not known
// where the next one begins. A body that cannot be decoded is not a bad frame; it is
// answered with CodeBadRequest.
const (
	WrongMagic   Cause = iota // first byte is not 0x11
	WrongVersion              // second byte is not 0
	UnknownKind               // message type is neither request nor heartbeat
	BodyTooLong               // length over the limit
	NumCauses
)

// String names the cause as log lines print it.
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return "unknown cause"
}

var causeNames = [NumCauses]string{
	WrongMagic:   "wrong magic",
	WrongVersion: "wrong version",
	UnknownKind:  "unknown message type",
	BodyTooLong:  "body too long",
}

// FrameError says what is wrong with a frame.
type FrameError struct {
	Cause Cause
	// Value is the field as it was sent.
	Value uint32
	// Limit is the largest body in bytes; it is set for BodyTooLong only.
	Limit int
}

// Class is the cause, for the counters and the log.
func (e *FrameError) Class() (int, string) { return int(e.Cause), e.Cause.String() }

// Error names the cause, the value and what was expected.
func (e *FrameError) Error() string {
	switch e.Cause {
	case BodyTooLong:
		return fmt.Sprintf("%v: %d bytes, want at most %d", e.Cause, e.Value, e.Limit)
	case WrongMagic:
		return fmt.Sprintf("%v 0x%02x, want 0x%02x", e.Cause, e.Value, magic)
	case WrongVersion:
		return fmt.Sprintf("%v %d, want %d", e.Cause, e.Value, version)
	}
	return fmt.Sprintf("%v %d, want %d or %d", e.Cause, e.Value, KindRequest, KindHeartbeat)
}

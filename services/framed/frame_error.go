package framed

import "fmt"

// Cause classes bad frames.
type Cause uint8

// The causes. Each closes the connection it came on: past a bad frame nobody knows
// where the next one begins.
const (
	FrameTooShort  Cause = iota // length 0 to 12: no room for a command and an id
	FrameNegative               // length with the sign bit set, 0xFFFFFFFF among them
	FrameTooLong                // length over MaxFrame
	UnknownCommand              // neither conn nor submit
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
	FrameTooShort:  "frame too short",
	FrameNegative:  "negative frame length",
	FrameTooLong:   "frame too long",
	UnknownCommand: "unknown command",
}

// FrameError says what is wrong with a frame.
type FrameError struct {
	Cause Cause
	// Length is the frame's length field as it was sent.
	Length int32
	// Command is the packet's command; it is set for UnknownCommand only.
	Command Command
}

// Error names the cause, the value and what was expected.
func (e *FrameError) Error() string {
	if e.Cause == UnknownCommand {
		return fmt.Sprintf("%v 0x%02x, want 0x%02x or 0x%02x",
			e.Cause, byte(e.Command), byte(CommandConn), byte(CommandSubmit))
	}
	return fmt.Sprintf("%v: %d bytes, want %d to %d", e.Cause, e.Length, MinFrame, MaxFrame)
}

// checkLength judges a frame's length field. Nothing may be allocated by a length
// that has not passed here.
func checkLength(length int32) *FrameError {
	switch {
	case length < 0:
		return &FrameError{Cause: FrameNegative, Length: length}
	case length < MinFrame:
		return &FrameError{Cause: FrameTooShort, Length: length}
	case length > MaxFrame:
		return &FrameError{Cause: FrameTooLong, Length: length}
	}
	return nil
}

// Package lengthframe is what can be wrong with frames that begin with their length: an int32
// in bytes, big-endian, which counts itself.
package lengthframe

import "fmt"

// Cause classes bad frames.
type Cause uint8

// The causes. Each closes the connection it came on: past a bad frame it is not known
// where the next one begins, or what it means.
const (
	TooShort       Cause = iota // no room for a command and an id
	Negative                    // length with the sign bit set, 0xFFFFFFFF among them
	TooLong                     // length over the protocol's limit
	UnknownCommand              // none of the protocol's requests
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
	TooShort:       "frame too short",
	Negative:       "negative frame length",
	TooLong:        "frame too long",
	UnknownCommand: "unknown command",
}

// Error says what is wrong with a frame.
type Error struct {
	Cause Cause
	// Value is the length field as it was sent, or the command.
	Value int32
	// Want is what was expected of it.
	Want string
}

// Error names the cause, the value and what was expected.
func (e *Error) Error() string {
	if e.Cause == UnknownCommand {
		return fmt.Sprintf("%v 0x%02x, want %s", e.Cause, e.Value, e.Want)
	}
	return fmt.Sprintf("%v: %d bytes, want %s", e.Cause, e.Value, e.Want)
}

// Class is the cause, for the counters and the log.
func (e *Error) Class() (int, string) { return int(e.Cause), e.Cause.String() }

// Check judges a frame's length field. Nothing may be allocated by a length that has not
// passed here. The error is an *Error.
func Check(length, least, most int32) error {
	if least <= length && length <= most {
		return nil
	}
	return judge(length, least, most)
}

// judge is apart so that Check costs a good frame no call.
func judge(length, least, most int32) error {
	cause := TooLong
	switch {
	case length < 0:
		cause = Negative
	case length < least:
		cause = TooShort
	}
	return &Error{Cause: cause, Value: length, Want: fmt.Sprintf("%d to %d", least, most)}
}

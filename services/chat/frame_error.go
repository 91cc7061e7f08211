package chat

import (
	"fmt"

	"github.com/gohone/hone/services/internal/lengthframe"
)

// FrameError says what is wrong with a frame; Cause classes the faults.
type (
	FrameError = lengthframe.Error
	Cause      = lengthframe.Cause
)

// The causes. Each closes the connection it came on.
const (
	FrameTooShort  = lengthframe.TooShort       // length 0 to 8: no room for a command and an id
	FrameNegative  = lengthframe.Negative       // length with the sign bit set, 0xFFFFFFFF among them
	FrameTooLong   = lengthframe.TooLong        // length over MaxFrame
	UnknownCommand = lengthframe.UnknownCommand // none of the four requests
	NumCauses      = lengthframe.NumCauses
)

// checkLength judges a frame's length field.
func checkLength(length int32) error { return lengthframe.Check(length, HeaderSize, MaxFrame) }

func badCommand(c Command) error {
	want := fmt.Sprintf("0x%02x to 0x%02x", byte(CommandLogin), byte(CommandPing))
	return &FrameError{Cause: UnknownCommand, Value: int32(c), Want: want}
}

package http2

import (
	"time"
)

// grpcOfReset is the code of a call whose stream was reset with an error code of HTTP/2 (gRPC over HTTP2, section
// Errors). due is when the deadline of the call ends, zero without one: a server that cancels after it does so because
// of it.
func grpcOfReset(code uint32, due time.Time) uint16 {
	switch code {
	case 0x7: // REFUSED_STREAM
		return 14 // UNAVAILABLE
	case cancel:
		if !due.IsZero() && time.Now().After(due) {
			return 4 // DEADLINE_EXCEEDED
		}
		return 1 // CANCELLED
	case 0xb: // ENHANCE_YOUR_CALM
		return 8 // RESOURCE_EXHAUSTED
	case 0xc: // INADEQUATE_SECURITY
		return 7 // PERMISSION_DENIED
	}
	return 13 // INTERNAL
}

package httpmsg

import (
	"strings"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Meaning is what matters in the header block of an answer.
type Meaning struct {
	Status uint16 // 0: none, as in trailers
	Length int64  // Content-Length; -1: none
	GRPC   GRPCStatus
	Events bool // Content-Type: text/event-stream
	// Bad: the block can be decoded, but breaks the rules of HTTP (RFC 9113 section
	// 8.3).
	Bad bool
}

// IsName: field names are tokens in lower case (RFC 9113 section 8.2.1).
func IsName(name []byte) bool {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' || !wire.TokenBytes[c] {
			return false
		}
	}
	return len(name) > 0
}

// GRPCStatus is what an answer over HTTP/2 says about a call of gRPC. The status of the
// call is in the trailers, and the status of HTTP is 200 also for calls that failed. An
// answer without a body has it in its only header block ("Trailers-Only" in gRPC over
// HTTP2, section Responses).
type GRPCStatus struct {
	Asked bool // the content type is that of gRPC: a status has to come
	Known bool // a status has come
	Code  uint16
}

// grpcCodes is the end of the codes that results count: gRPC uses 0 to 16, and what is
// below 100 is not a status of HTTP.
const grpcCodes = 100

// Read takes the value of a grpc-status field; false if it is not a number. Of two fields
// one that failed counts.
func (g *GRPCStatus) Read(value []byte) bool {
	code, ok := wire.Decimal(value)
	g.Known, g.Code = true, max(g.Code, uint16(min(code, grpcCodes-1)))
	return ok
}

// Trailers adds what the trailers say to what the head said.
func (g *GRPCStatus) Trailers(t GRPCStatus) {
	g.Known, g.Code = g.Known || t.Known, max(g.Code, t.Code)
}

// Judge is the code and the cause of a whole answer of HTTP whose status of HTTP is right. asked:
// the request was one of gRPC. A call that failed has its own code, not that of HTTP. Targets of gRPC have a grpcCall.
func (g GRPCStatus) Judge(asked bool, code uint16, cause load.Cause) (uint16, load.Cause) {
	switch {
	case g.Code != 0:
		return load.FirstGRPCCode + g.Code, load.WrongStatus
	case g.Known:
		return code, cause
	case g.Asked: // gRPC over HTTP2: the trailers have to have a status
		return code, load.Malformed
	case asked:
		return code, load.WrongKind
	}
	return code, cause
}

// IsGRPC says that a content type is application/grpc, with or without a format behind it.
// Those of gRPC-Web have their status in the body.
func IsGRPC(contentType string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(contentType), "application/grpc")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], "+; \t"))
}

// AsksForGRPC says that requests with these headers are calls of gRPC.
func AsksForGRPC(headers []string) bool {
	return wire.AnyHeader(headers, "content-type", IsGRPC)
}

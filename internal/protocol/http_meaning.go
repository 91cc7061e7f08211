package protocol

import (
	"strings"

	"github.com/gohone/hone/load"
)

// http2Meaning is what matters in the header block of an answer.
type http2Meaning struct {
	status uint16 // 0: none, as in trailers
	length int64  // Content-Length; -1: none
	grpc   grpcStatus
	events bool // Content-Type: text/event-stream
	// bad: the block can be decoded, but breaks the rules of HTTP (RFC 9113 section
	// 8.3).
	bad bool
}

// isHTTP2Name: field names are tokens in lower case (RFC 9113 section 8.2.1).
func isHTTP2Name(name []byte) bool {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' || !tokenBytes[c] {
			return false
		}
	}
	return len(name) > 0
}

// grpcStatus is what an answer over HTTP/2 says about a call of gRPC. The status of the
// call is in the trailers, and the status of HTTP is 200 also for calls that failed. An
// answer without a body has it in its only header block ("Trailers-Only" in gRPC over
// HTTP2, section Responses).
type grpcStatus struct {
	asked bool // the content type is that of gRPC: a status has to come
	known bool // a status has come
	code  uint16
}

// grpcCodes is the end of the codes that results count: gRPC uses 0 to 16, and what is
// below 100 is no status of HTTP.
const grpcCodes = 100

// read takes the value of a grpc-status field; false if it is not a number. Of two fields
// one that failed counts.
func (g *grpcStatus) read(value []byte) bool {
	code, ok := decimal(value)
	g.known, g.code = true, max(g.code, uint16(min(code, grpcCodes-1)))
	return ok
}

// trailers adds what the trailers say to what the head said.
func (g *grpcStatus) trailers(t grpcStatus) {
	g.known, g.code = g.known || t.known, max(g.code, t.code)
}

// judge is the code and the cause of a whole answer of HTTP whose status of HTTP is right. asked:
// the request was one of gRPC. A call that failed has its own code, not that of HTTP. Targets of gRPC have a grpcCall.
func (g grpcStatus) judge(asked bool, code uint16, cause load.Cause) (uint16, load.Cause) {
	switch {
	case g.code != 0:
		return load.FirstGRPCCode + g.code, load.WrongStatus
	case g.known:
		return code, cause
	case g.asked: // gRPC over HTTP2: the trailers have to have a status
		return code, load.Malformed
	case asked:
		return code, load.WrongKind
	}
	return code, cause
}

// isGRPC says that a content type is application/grpc, with or without a format behind it.
// Those of gRPC-Web have their status in the body.
func isGRPC(contentType string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(contentType), "application/grpc")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], "+; \t"))
}

// asksForGRPC says that requests with these headers are calls of gRPC.
func asksForGRPC(headers []string) bool {
	return anyHeader(headers, "content-type", isGRPC)
}

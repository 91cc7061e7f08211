// Package wire is what the protocols of a load have in common: Options, which say what is asked and what a right answer
// is, Request, the one form of a request from the spec to the protocol that encodes it, Scheme, by which a protocol is
// known, feeds, and the templates that a feed and hone's own places fill.
//
// It knows no protocol. What is added here must be of use to at least two; an option of one alone is a struct of its
// own in Options. Formats of text: RFC 9110 section 5.6 (tokens), RFC 3986 section 2 (percent-encoding), RFC 4180
// (feeds).
//
// The packages in this room:
//
//   - accesslog: requests out of a server's log, and the load that they were
//   - answer: judges answers of all protocols: status, length, text, JSON, streams
//   - grpctypes: types of gRPC methods: files or reflection; JSON to messages and back
//   - http1: HTTP/1.1, and steps
//   - http2: HTTP/2, and gRPC over it
//   - http3: HTTP/3
//   - httpmsg: requests and fields of all versions of HTTP
//   - nullserver: a minimal correct server, to calibrate the generator against
//   - openapi: requests out of an OpenAPI file: one for each operation
//   - otlp: spans of OpenTelemetry, as protobuf and as lines of JSON; pure
//   - quicconn: a QUIC connection in the shape of a net.Conn: pieces of what goes over its streams
//   - recognise: the protocol of a port, found with few connections
//   - requests: requests out of a curl command line, a HAR file; pure
//   - resp: RESP, which Redis speaks
//   - schemes: the list of protocols; targets and how to dial them
//   - tap: samples of answers, to compare those of two variants
//   - tcp: frames over TCP: tcp, framed, chat, rpc
//   - turns: which request a connection sends next, and with which row of a feed
//   - vary: other requests for the same work; pure
//   - ws: WebSocket
package wire

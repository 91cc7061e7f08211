package wire

import "time"

// Options shape the requests and say what a right answer is. The zero value is each
// protocol's default; an option that the protocol does not have is an error.
type Options struct {
	// PayloadBytes is the size of a framed submit's payload; 0 means 24, which makes
	// a frame of 37 bytes.
	PayloadBytes int `json:"payload_bytes,omitempty"`
	// Method is the HTTP method; empty means GET, or POST if there is a body.
	Method string `json:"method,omitempty"`
	// Headers are HTTP header lines, "Name: value"; of gRPC its metadata.
	Headers []string `json:"headers,omitempty"`
	// Body is the HTTP request body, the payload of a tcp:// request, or the messages of a call of gRPC as JSON.
	Body []byte `json:"body,omitempty"`
	// Requests are those of a load with several: a mix, which is the target itself and further ones on the same host,
	// or a list or a sequence, which stand instead of the target's own path, method and body. They take turns by
	// weight. Headers go with all of them, instead of those of the same name. Empty: one request.
	Requests []Request `json:"requests,omitempty"`
	// Sequence has each connection send Requests one after the other, each when the answer to the one before has
	// come.
	Sequence bool `json:"sequence,omitempty"`
	// Order are the turns of Requests, by index, which all connections take together, over
	// and over. Empty: each connection takes them by weight.
	Order []uint32 `json:"order,omitempty"`
	// Feed fills {name} in URLs, header values and bodies.
	Feed *Feed `json:"feed,omitempty"`
	// Raw sends braces as they are: {n}, {rand:K} and {conn} stand for nothing, and an unknown {name} is text.
	Raw bool `json:"raw,omitempty"`
	// Expect says what a right answer is, beyond the protocol's own rules.
	Expect Expect `json:"expect,omitzero"`
	// HTTP2 speaks HTTP/2: over TLS by ALPN, else with prior knowledge (h2c).
	HTTP2 bool `json:"http2,omitempty"`
	// Streams says which answers are streams, and when requests for one end.
	Streams Streams `json:"streams,omitzero"`
	// HTTP3 speaks HTTP/3, over QUIC.
	HTTP3 bool `json:"http3,omitempty"`
	// TLS is how https:// and grpcs:// targets are spoken to.
	TLS TLS `json:"tls,omitzero"`
	// WebSocket says how WebSocket is spoken.
	WebSocket WebSocket `json:"websocket,omitzero"`
	// GRPC says how gRPC is spoken.
	GRPC GRPC `json:"grpc,omitzero"`
	// Frame describes the protocol of tcp:// targets.
	Frame Frame `json:"frame,omitzero"`
}

// Feed is a table whose rows fill the templates of requests, a row for each request.
// Each connection walks the rows in order, from a row of its own.
type Feed struct {
	Names []string   `json:"names"`
	Rows  [][]string `json:"rows"` // each as long as Names
}

// Expect is the checks on an HTTP answer. An answer that fails one is wrong, never
// counted as served.
type Expect struct {
	// Status lists statuses, "200", or classes, "2xx"; empty accepts all below 400. Of gRPC they are names or numbers
	// of its codes, and empty accepts OK only.
	Status []string `json:"status,omitempty"`
	// Length is the length of the body in bytes; nil accepts any.
	Length *int64 `json:"length,omitempty"`
	// Body is a text that the body must contain; empty accepts any.
	Body string `json:"body,omitempty"`
	// JSON is "PATH" (must exist) or "PATH=VALUE", in the syntax of tidwall/gjson;
	// empty accepts any.
	JSON string `json:"json,omitempty"`
}

// WebSocket are the options of WebSocket.
type WebSocket struct {
	// Subprotocol is what the upgrade offers, and the server has to choose; empty: none.
	Subprotocol string `json:"subprotocol,omitempty"`
	// Binary sends binary messages; the default is text.
	Binary bool `json:"binary,omitempty"`
	// ID is where an answer has the number of its request: a path of tidwall/gjson, where {n} in Body stands for the
	// number, or "@OFFSET:WIDTH", a big-endian integer of 1, 2, 4 or 8 bytes that hone writes there into each message.
	// Empty: answers come in the order of the requests.
	ID string `json:"id,omitempty"`
	// Age is where a message has the moment at which it was made: a path of tidwall/gjson to a time in RFC 3339, or to
	// seconds, milliseconds, microseconds or nanoseconds since 1970. Empty: the age of messages is not known.
	Age string `json:"age,omitempty"`
	// Skip are messages that answer nothing, such as events that the server sends by itself: those whose JSON has PATH
	// or PATH=VALUE, as Expect.JSON, or, with ~EXPRESSION, those that it matches.
	Skip []string `json:"skip,omitempty"`
}

// GRPC are the options of gRPC.
type GRPC struct {
	// Protos are .proto files that hold the types of the messages; what they import is looked for in ProtoPaths.
	Protos     []string `json:"protos,omitempty"`
	ProtoPaths []string `json:"proto_paths,omitempty"`
	// ProtoSet is a file of descriptors instead of .proto files, Descriptors are the descriptors themselves (a binary
	// FileDescriptorSet). Without any of them the server is asked by reflection.
	ProtoSet    string `json:"proto_set,omitempty"`
	Descriptors []byte `json:"descriptors,omitempty"`
	// EachMessage makes each message of a call a request, where the method streams both ways and answers one to one.
	EachMessage bool `json:"each_message,omitempty"`
	// Deadline is what each call tells the server it may take (grpc-timeout); 0 tells none.
	Deadline time.Duration `json:"deadline_ns,omitempty"`
}

// TLS is a client's side of TLS.
type TLS struct {
	// Insecure accepts any certificate.
	Insecure bool `json:"insecure,omitempty"`
	// NoResumption makes every connection a full handshake.
	NoResumption bool `json:"no_resumption,omitempty"`
	// ServerName overrides the host name of the target for SNI and verification.
	ServerName string `json:"server_name,omitempty"`
	// CAs is a file of certificates (PEM) to trust instead of the system's; PEM are the certificates themselves.
	CAs string `json:"cas,omitempty"`
	PEM []byte `json:"pem,omitempty"`
	// Cert and Key are files of the client's own certificate and its private key (PEM); an empty Key: it is in Cert,
	// too.
	Cert string `json:"cert,omitempty"`
	Key  string `json:"key,omitempty"`
}

// NamesServer says that the user named an authority or a name that the server's certificate must have.
func (t TLS) NamesServer() bool { return t.CAs != "" || t.ServerName != "" }

// Frame describes a length-prefixed protocol.
type Frame struct {
	// Offset is where the length field begins in a frame, Width its size in bytes: 1,
	// 2, 4 or 8 (0 means 4).
	Offset int `json:"offset,omitempty"`
	Width  int `json:"width,omitempty"`
	// Little says that integers are little-endian; the default is big-endian.
	Little bool `json:"little,omitempty"`
	// Counts is what the length field counts: "rest", all that comes after it (the
	// default), "all", the whole frame, or "body", what comes after HeaderBytes.
	Counts string `json:"counts,omitempty"`
	// HeaderBytes is the size of the header for Counts "body".
	HeaderBytes int `json:"header_bytes,omitempty"`
	// IDOffset and IDWidth place an integer that an answer repeats from its request;
	// IDWidth 0 means that answers come in order (FIFO).
	IDOffset int `json:"id_offset,omitempty"`
	IDWidth  int `json:"id_width,omitempty"`
	// ExpectBytes must stand at offset ExpectAt of an answer's frame; empty accepts any.
	ExpectAt    int    `json:"expect_at,omitempty"`
	ExpectBytes []byte `json:"expect_bytes,omitempty"`
	// ExpectLength is the length of an answer's whole frame in bytes; 0 accepts any.
	ExpectLength int `json:"expect_length,omitempty"`
}

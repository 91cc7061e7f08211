package spec

// The schemes of the targets that some options are for, see wire.Options.
var (
	framedSchemes     = []string{"framed"}
	tcpSchemes        = []string{"tcp"}
	webSchemes        = []string{"http", "https"}
	callsSchemes      = []string{"grpc", "grpcs"}
	webSocketsSchemes = []string{"ws", "wss"}
	encryptedSchemes  = []string{"https", "grpcs", "wss", "rediss"}
	messagesSchemes   = concat(webSchemes, callsSchemes, webSocketsSchemes)
	textsSchemes      = concat(messagesSchemes, []string{"redis", "rediss"})
)

// protocolRows say how a target is spoken to.
var protocolRows = []Row{
	{Name: "http2", Group: OfTarget, Schemes: webSchemes, For: loaded, Flag: always, Is: First, Help: "speak HTTP/2; --depth is then the number of streams on each connection",
		To: func(s *Spec) any { return &s.Protocol.HTTP2 }},
	{Name: "http3", Group: OfTarget, Schemes: webSchemes, For: loaded, Help: "speak HTTP/3 with https:// targets, over UDP; --depth is then the number of streams on each connection",
		To: func(s *Spec) any { return &s.Protocol.HTTP3 }},
	{Name: "insecure", Short: "k", Group: OfTarget, Schemes: encryptedSchemes, For: loaded, Flag: ForLoad, Is: First, Help: "accept any TLS certificate",
		To: func(s *Spec) any { return &s.Protocol.TLS.Insecure }},
	{Name: "tls.ca", Group: OfTarget, Schemes: encryptedSchemes, For: loaded, Help: "`FILE` of certificates to trust instead of the system's",
		To: func(s *Spec) any { return &s.Protocol.TLS.CAs }},
	{Name: "tls.cert", Group: OfTarget, Schemes: encryptedSchemes, For: loaded, Help: "`FILE` with the client's certificate, for a server that asks for one (PEM)",
		To: func(s *Spec) any { return &s.Protocol.TLS.Cert }},
	{Name: "tls.key", Group: OfTarget, Schemes: encryptedSchemes, For: loaded, Help: "`FILE` with the private key of tls.cert (default: in the same file)",
		To: func(s *Spec) any { return &s.Protocol.TLS.Key }},
	{Name: "tls.server-name", Group: OfTarget, Schemes: encryptedSchemes, For: loaded, Help: "`NAME` that the TLS certificate must have (default the target's host)",
		To: func(s *Spec) any { return &s.Protocol.TLS.ServerName }},
	{Name: "tls.no-resumption", Group: OfTarget, Schemes: encryptedSchemes, For: loaded, Help: "a full TLS handshake for every connection",
		To: func(s *Spec) any { return &s.Protocol.TLS.NoResumption }},
	{Name: "stream", Group: OfTarget, Schemes: messagesSchemes, For: loaded, Help: "every answer is a stream: time its first byte, count its events, chunks or frames (default: answers of text/event-stream)",
		To: func(s *Spec) any { return &s.Protocol.Streams.All }},
	{Name: "stream.messages", Group: OfTarget, Schemes: messagesSchemes, For: loaded, Help: "end a request for a stream after `N` messages (default: when the server ends it)",
		To: func(s *Spec) any { return &s.Protocol.Streams.Messages }},
	{Name: "stream.for", Group: OfTarget, Schemes: messagesSchemes, For: loaded, Help: "end a request for a stream with its first message after this time (default: when the server ends it)",
		To: func(s *Spec) any { return &s.Protocol.Streams.For }},
	{Name: "ws.subprotocol", Group: OfTarget, Schemes: webSocketsSchemes, For: loaded, Help: "`NAME` of the subprotocol that the upgrade asks for",
		To: func(s *Spec) any { return &s.Protocol.Messages.Subprotocol }},
	{Name: "ws.binary", Group: OfTarget, Schemes: webSocketsSchemes, For: loaded, Help: "send binary messages (default text)",
		To: func(s *Spec) any { return &s.Protocol.Messages.Binary }},
	{Name: "ws.id", Group: OfTarget, Schemes: webSocketsSchemes, For: loaded, Help: "`PATH` where the number of the request ({n} in --body) stands in the JSON of its answer; @OFFSET:WIDTH in a binary message (default: answers come in order)",
		To: func(s *Spec) any { return &s.Protocol.Messages.ID }},
	{Name: "ws.skip", Group: OfTarget, Schemes: webSocketsSchemes, For: loaded, Help: "ignore messages that the server sends by itself: those whose JSON has `PATH` or PATH=VALUE, or that match ~EXPRESSION (repeatable)",
		To: func(s *Spec) any { return &s.Protocol.Messages.Skip }},
	{Name: "ws.age", Group: OfTarget, Schemes: webSocketsSchemes, For: loaded, Help: "`PATH` where the JSON of a stream's message has the time at which it was made (RFC 3339, or Unix time)",
		To: func(s *Spec) any { return &s.Protocol.Messages.Age }},
	{Name: "grpc.proto", Group: OfTarget, Schemes: callsSchemes, For: loaded, Help: ".proto `FILE` of the service (repeatable; default: ask the server by reflection)",
		To: func(s *Spec) any { return &s.Protocol.Calls.Protos }},
	{Name: "grpc.proto-path", Group: OfTarget, Schemes: callsSchemes, For: loaded, Help: "`DIR` where imports of grpc.proto are looked for (repeatable; default: where the file is)",
		To: func(s *Spec) any { return &s.Protocol.Calls.ProtoPaths }},
	{Name: "grpc.protoset", Group: OfTarget, Schemes: callsSchemes, For: loaded, Help: "`FILE` of descriptors, as buf build -o writes it, instead of grpc.proto",
		To: func(s *Spec) any { return &s.Protocol.Calls.ProtoSet }},
	{Name: "grpc.each-message", Group: OfTarget, Schemes: callsSchemes, For: loaded, Help: "count each message of a call as a request, for a method that streams both ways and answers each message once",
		To: func(s *Spec) any { return &s.Protocol.Calls.EachMessage }},
	{Name: "grpc.deadline", Group: OfTarget, Schemes: callsSchemes, For: loaded, Help: "time limit, `TIME`, that each call sends to the server (default none)",
		To: func(s *Spec) any { return &s.Protocol.Calls.Deadline }},
	{Name: "framed.payload", Group: OfTarget, Schemes: framedSchemes, For: loaded, Help: "payload of a request in bytes (default 24)",
		To: func(s *Spec) any { return &s.Protocol.PayloadBytes }},
	{Name: "tcp.offset", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "where the length field begins in a frame",
		To: func(s *Spec) any { return &s.Protocol.Frame.Offset }},
	{Name: "tcp.width", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "bytes of the length field: 1, 2, 4 or 8 (default 4)",
		To: func(s *Spec) any { return &s.Protocol.Frame.Width }},
	{Name: "tcp.little", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "integers are little-endian",
		To: func(s *Spec) any { return &s.Protocol.Frame.Little }},
	{Name: "tcp.counts", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "`WHAT` the length counts: rest (default; all that comes after it), all, or body",
		To: func(s *Spec) any { return &s.Protocol.Frame.Counts }},
	{Name: "tcp.header", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "size of the header, for tcp.counts=body",
		To: func(s *Spec) any { return &s.Protocol.Frame.HeaderBytes }},
	{Name: "tcp.id-offset", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "where the id begins in a frame; the answer has the same id",
		To: func(s *Spec) any { return &s.Protocol.Frame.IDOffset }},
	{Name: "tcp.id-width", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "bytes of the id: 1, 2, 4 or 8 (default none: answers come in order)",
		To: func(s *Spec) any { return &s.Protocol.Frame.IDWidth }},
	{Name: "tcp.expect-at", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "where tcp.expect must stand in an answer",
		To: func(s *Spec) any { return &s.Protocol.Frame.ExpectAt }},
	{Name: "tcp.expect", Group: OfTarget, Schemes: tcpSchemes, For: loaded, Help: "`BYTES` that a right answer holds, as 00ff",
		To: func(s *Spec) any { return &s.Requests.ExpectHex }},
}

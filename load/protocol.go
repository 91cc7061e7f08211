package load

// Protocol is one wire protocol as a client speaks it. One value serves all
// connections of a session; what a connection has to remember lives in its Dialog.
type Protocol interface {
	// Dialog returns the state of a fresh connection. conn is its number in the
	// session, from 0; a reconnect asks for a new Dialog with the same number.
	Dialog(conn int) Dialog
}

// Dialog is one connection's side of a protocol, as two small methods over bytes.
// The engine calls it from one goroutine at a time; it must not block, and must
// not allocate once it is warm.
type Dialog interface {
	// AppendRequest appends the bytes of the connection's request number seq (0, 1,
	// 2, ... without gaps) to dst and returns the longer slice.
	AppendRequest(dst []byte, seq uint64) []byte

	// NextAnswer reads at most one answer from the front of in. It returns the bytes
	// it consumed and what they were. n = 0 without Answer.Close means that the
	// answer is not whole yet: the engine calls again with the same bytes and more
	// after them. A Dialog may consume bytes that complete no answer (a chunk of a
	// long body): it then returns n > 0 and Answer.Partial. An answer that it leaves
	// unconsumed must stay under 16 MiB.
	//
	// With eof set the peer has closed and in, which may be empty, is all there will
	// ever be. An answer that only the end of the connection completes, or cuts off,
	// comes back with Answer.Close (and n = 0 if no bytes are left to consume); n = 0
	// without Close says that no answer ended here.
	NextAnswer(in []byte, eof bool) (n int, a Answer)
}

// Answer is what a Dialog makes of the bytes of one answer.
type Answer struct {
	// Seq is the request it answers. A protocol without ids answers in order and
	// counts by itself. The engine knows what is outstanding: an answer to anything
	// else is a fault that belongs to no request (Unsolicited where nothing is
	// outstanding, else WrongID instead of OK and WrongOrder).
	Seq uint64
	// Cause is OK for a right answer and names what is wrong otherwise.
	Cause Cause
	// Code is the protocol's own status of an answer (HTTP: 200), which results count
	// by value; 0 if it has none. Codes of gRPC count from FirstGRPCCode on. Codes of MaxCode
	// and more are counted as 0. CodeName names them.
	Code uint16
	// Partial: bytes were consumed but the answer goes on; Cause may be EventStream.
	Partial bool
	// Begun: the answer to request Seq begins in the consumed bytes, with Partial or without. It is told once for
	// each answer of a protocol whose answers are streams, and times Slice.FirstByte.
	Begun bool
	// Messages is how many messages of a stream end in the consumed bytes: events, chunks, messages of a call. With
	// Partial Seq is the request that they answer. Messages that no request asked for come with Partial and a Seq that
	// is not outstanding; they are counted, and do not count as stray replies.
	Messages uint16
	// MessageAge is how old the last of these messages was, by a time stamp in it, in nanoseconds; 0 if it has none.
	MessageAge int64
	// Close: the connection cannot go on after this answer (framing lost, or the
	// server said so). The engine closes it and dials again. With Partial there is no
	// answer, only the end of the connection, which a server may announce at any time;
	// or, with the cause ExtraBytes, one that the last right answer is to blame for.
	Close bool
	// Again: the server has not looked at request Seq, which may be sent again. Cause says what becomes of it
	// otherwise.
	Again bool
	// Leaving, with Partial: the server takes no more requests here and will not look at those from number Unread on,
	// which are sent again when the connection has ended.
	Leaving bool
	Unread  uint64
}

// MaxCode bounds Answer.Code.
const MaxCode = FirstGRPCCode + 100

// Controller is a Dialog that has bytes of its own to send besides requests
// (settings, acknowledgements, window updates), or whose peer limits what may be
// outstanding. The engine asks after the connect and after each read.
type Controller interface {
	Dialog
	// AppendControl appends the bytes that are due now to dst; mostly none.
	AppendControl(dst []byte) []byte
	// Room is how many requests the peer takes besides those outstanding. The engine
	// never has more than Plan.Depth outstanding in any case.
	Room() int
}

// Cause classes what became of a request. The numbers are stored in results: add
// at the end, never reorder.
type Cause uint8

// The causes. OK is a right answer; the wrong-answer causes are a Dialog's, the
// connection causes are the engine's.
const (
	OK          Cause = iota
	WrongID           // answers a request that was never sent, or one answered already
	WrongOrder        // answers a known request out of turn, where the protocol promises order
	WrongLength       // shorter or longer than the protocol allows
	WrongKind         // an answer of another type than the request asks for
	WrongStatus       // an error status: HTTP 4xx or 5xx, a non-zero result byte
	Malformed         // bytes that are not an answer at all
	Unsolicited       // bytes on a connection that has nothing outstanding
	Refused           // connect refused
	Reset             // connection reset by the peer
	Closed            // closed by the peer with requests outstanding
	Timeout           // no answer within Plan.Timeout (connect or request)
	OtherError        // any other transport error
	WrongBody         // a body that fails a check of the user's
	// ExtraBytes: the server sent more than the answer. The request of that answer
	// fails, although the answer itself was right, and the connection is replaced: the
	// rest of its bytes would be read as the front of another answer. The engine finds
	// them on a connection that has nothing outstanding. A Dialog that finds them in
	// front of an answer returns this cause with Partial and Close.
	ExtraBytes
	// Endless is an answer that is still coming when it has taken the time that an answer
	// may take: Plan.RequestTimeout or, without it, Plan.Timeout. The engine replaces the
	// connection.
	Endless
	// EventStream is such an answer that says of itself that it is a stream of events. A
	// Dialog returns it with Partial for what it consumes of one, which fails nothing yet:
	// there are streams that end.
	EventStream
	NumCauses
)

// String names the cause as reports print it.
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return "unknown cause"
}

var causeNames = [NumCauses]string{
	OK: "ok", WrongID: "wrong id", WrongOrder: "wrong order", WrongLength: "wrong length",
	WrongKind: "wrong kind", WrongStatus: "wrong status", Malformed: "malformed",
	Unsolicited: "unsolicited", Refused: "connection refused", Reset: "connection reset",
	Closed: "connection closed", Timeout: "timeout", OtherError: "other error",
	WrongBody: "wrong body", ExtraBytes: "extra bytes after an answer",
	Endless: "answer without end", EventStream: "stream of events",
}

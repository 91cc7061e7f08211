package nullserver

// Reply is a protocol that the server speaks.
type Reply int

// The replies.
const (
	// HTTP answers every HTTP/1.1 request with 200, whatever its path, and two bytes.
	HTTP Reply = iota
	// Framed answers every submit of the framed protocol with the submitack of its id.
	Framed
)

// speaker turns the bytes of one connection into answers.
type speaker interface {
	// answer appends to out what the requests that end in in are due. It says how many
	// bytes of in it is done with (the caller brings the others again, with what
	// follows them), and whether the connection ends with these answers. It leaves less
	// than maxRest bytes.
	answer(out, in []byte) (newOut []byte, used int, last bool)
}

// maxRest is more than any speaker leaves over: the longest head of an HTTP request.
const maxRest = 8 << 10

// readSize is how much is read at a time. What a connection can hold at most follows
// from it: the answers to one read, which are 110 kB if it was full of the shortest
// HTTP requests (18 bytes for 119), and maxRest.
const readSize = 16 << 10

func newSpeaker(r Reply) speaker {
	if r == Framed {
		return &framed{}
	}
	return &http{}
}

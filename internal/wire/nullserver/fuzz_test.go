package nullserver

import (
	"bytes"
	"testing"
)

// FuzzHTTP: wherever the network cuts a stream of requests, the answers are the same.
func FuzzHTTP(f *testing.F) {
	for _, s := range []string{
		get + get, "\r\n\r\n" + get, "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n12345" + get,
		"HEAD / HTTP/1.0\r\n\r\n" + get, "GET / HTTP/1.1\r\nconnection: a, close \r\n\r\n",
		"P / HTTP/1.1\r\nTransfer-Encoding: x\r\n\r\n", "GET / HTTP/1.1\nA: b\r\n\r\n", "\r\r\n\r\n",
		"GET / HTTP/1.1\r\ncontent-length: 18446744073709551617\r\n\r\n",
	} {
		f.Add([]byte(s), uint64(len(s))*0x9e3779b97f4a7c15)
	}
	f.Fuzz(func(t *testing.T, in []byte, cuts uint64) { cutAnywhere(t, HTTP, in, cuts) })
}

// FuzzFramed is FuzzHTTP for the framed protocol.
func FuzzFramed(f *testing.F) {
	submit := "\x00\x00\x00\x0f\x0212345678ab"
	for _, s := range []string{
		submit + submit, "\x00\x00\x00\x0d\x0212345678" + submit, "\x00\x00\x00\x05", "\x00\x00\x00\x00",
		"\xff\xff\xff\xff", "\x00\x00\x00\x0f\x0112345678ab", "\x00\x10\x00\x0d\x0212345678",
		"\x00\x10\x00\x0e\x0212345678",
	} {
		f.Add([]byte(s), uint64(len(s))*0x9e3779b97f4a7c15)
	}
	f.Fuzz(func(t *testing.T, in []byte, cuts uint64) { cutAnywhere(t, Framed, in, cuts) })
}

// cutAnywhere compares a stream in one piece with the same in pieces, whose sizes are
// drawn from cuts, and in single bytes.
func cutAnywhere(t *testing.T, r Reply, in []byte, cuts uint64) {
	whole, cut, single := newPieces(r), newPieces(r), newPieces(r)
	whole.feed(in)
	for left := in; len(left) > 0; {
		cuts = cuts*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
		n := min(int(cuts>>58)+1, len(left))
		if !cut.feed(left[:n]) {
			t.Fatalf("%d bytes left over", len(cut.rest))
		}
		left = left[n:]
	}
	for i := range in {
		single.feed(in[i : i+1])
	}
	for _, p := range []*pieces{cut, single} {
		if p.last != whole.last || !bytes.Equal(p.out, whole.out) ||
			!p.last && !bytes.Equal(p.rest, whole.rest) {
			t.Fatalf("in pieces: last %v, out %q, rest %q\nwhole: last %v, out %q, rest %q",
				p.last, p.out, p.rest, whole.last, whole.out, whole.rest)
		}
	}
}

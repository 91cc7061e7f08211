package rpc_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
)

// claim is a header that claims a body of so many bytes.
func claim(length uint32) []byte { return rpc.AppendHeader(nil, rpc.Header{Length: length}) }

// badFrames end a connection. Lengths 0, 4 and 5 as the first bytes are no length here:
// they stand where the magic has to be.
var badFrames = []struct {
	name  string
	bytes []byte
	cause rpc.Cause
}{
	{"length 0 as in other protocols", []byte{0, 0, 0, 0}, rpc.WrongMagic},
	{"length 4 as in other protocols", []byte{0, 0, 0, 4}, rpc.WrongMagic},
	{"length 5 as in other protocols", []byte{0, 0, 0, 5, 2}, rpc.WrongMagic},
	{"HTTP", []byte("GET / HTTP/1.1\r\n\r\n"), rpc.WrongMagic},
	{"version 1", []byte{0x11, 1}, rpc.WrongVersion},
	{"message type 2", []byte{0x11, 0, 2}, rpc.UnknownKind},
	{"length 0xFFFFFFFF", claim(0xFFFFFFFF), rpc.BodyTooLong},
	{"negative length", claim(0x80000000), rpc.BodyTooLong},
	{"one over the limit", claim(rpc.DefaultMaxBody + 1), rpc.BodyTooLong},
	{"an endless heartbeat", rpc.AppendHeader(nil, rpc.Header{Kind: rpc.KindHeartbeat, Length: 1 << 30}), rpc.BodyTooLong},
}

// A bad frame ends its own connection, after the answers to the requests before it.
// Others notice nothing, and the log says who, what and in which stage.
func TestBadFrameEndsOneConnection(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		for _, bad := range badFrames {
			t.Run(bad.name, func(t *testing.T) {
				r := start(t, rpc.Config{Stage: stage.Name})
				bystander, culprit := r.Dial(t), r.Dial(t)
				write(t, bystander, helloRequest(1)[:20]) // goes on after the fault

				write(t, culprit, append(helloRequest(2), bad.bytes...))
				got, err := io.ReadAll(culprit) // the server closes: this end is still open
				if err != nil || !bytes.Equal(got, helloAnswer(2)) {
					t.Errorf("the client with the bad frame got %x, %v, want one answer and the end", got, err)
				}
				culprit.Close()
				r.await(t, "count of the bad frame", func(c rpc.Counters) bool { return c.BadFrames[bad.cause] == 1 })
				if c := r.Counters(); c.Connected != 1 {
					t.Errorf("%d clients left, want the bystander", c.Connected)
				}

				write(t, bystander, helloRequest(1)[20:])
				if _, got := readAnswer(t, bystander); !bytes.Equal(got, helloAnswer(1)) {
					t.Errorf("the bystander got %x", got)
				}
				r.Logged(t, "bad frame", culprit.LocalAddr().String(), "stage="+stage.Name, bad.cause.String())
				if n := strings.Count(r.Log.String(), "\n"); n != 1 {
					t.Errorf("%d log lines, want 1:\n%s", n, r.Log)
				}
			})
		}
	})
}

// Bodies of 0, 4 and 5 bytes are whole frames: their content is bad, the connection is
// not.
func TestShortBodiesAreAnswered(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		conn := start(t, rpc.Config{Stage: stage.Name}).Dial(t)
		for _, body := range []string{"", "\x00\x00\x00\x00", "\x22\x03abc"} {
			write(t, conn, frame(rpc.Header{Stream: 1}, []byte(body)))
			_, answer := readAnswer(t, conn)
			response, err := rpc.DecodeResponse(answer[rpc.HeaderSize:])
			if err != nil || response.Code != rpc.CodeNotFound && response.Code != rpc.CodeBadRequest {
				t.Errorf("body %q: %+v, %v, want an error's code", body, response, err)
			}
		}
		write(t, conn, helloRequest(2))
		if _, got := readAnswer(t, conn); !bytes.Equal(got, helloAnswer(2)) {
			t.Errorf("a good request after them got %x", got)
		}
	})
}

// Memory is not taken on a client's word: 40 clients that claim 4 GB, and 40 that claim
// the most that is allowed and send nothing of it, cost little.
func TestClaimedLengthTakesNoMemory(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		r := start(t, rpc.Config{Stage: stage.Name})
		allocated := servicetest.Allocated(func() {
			for range 40 {
				write(t, r.Dial(t), claim(0xFFFFFFFF))
				write(t, r.Dial(t), claim(rpc.DefaultMaxBody))
			}
			r.await(t, "40 bad frames", func(c rpc.Counters) bool { return c.BadFrames[rpc.BodyTooLong] == 40 })
		})
		if took := allocated >> 20; took > 32 {
			t.Errorf("the server allocated %d MB for 80 clients that sent 15 bytes each", took)
		}
		r.mustServe(t)
	})
}

// The limit is the server's to set, and the largest frame passes.
func TestBodyLimit(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		r := start(t, rpc.Config{Stage: stage.Name, MaxBody: 100_000}, registerZoo)
		argument := rpc.AppendText([]byte("\x81\xa3Msg"), strings.Repeat("x", 99_000))
		largest := request(1, "/zoo.Zoo/Echo", argument)
		h, err := rpc.DecodeHeader(largest)
		if err != nil {
			t.Fatal(err)
		}
		pad := frame(rpc.Header{Stream: 1}, append(largest[rpc.HeaderSize:], // an unknown field fills it up
			append([]byte{0x42, 0xff, 0x06}, make([]byte, 100_000)...)[:100_000-int(h.Length)]...))
		conn := r.Dial(t)
		size := 100_000 - int(h.Length) - 3
		copy(pad[rpc.HeaderSize+int(h.Length):], []byte{0x42, byte(size) | 0x80, byte(size >> 7)})
		write(t, conn, pad)
		if got, _ := readAnswer(t, conn); got.Length < 99_000 {
			t.Errorf("a request of the largest size got %d bytes", got.Length)
		}
		write(t, conn, claim(100_001))
		if _, err := io.ReadAll(conn); err != nil {
			t.Error(err)
		}
		r.await(t, "count of the bad frame", func(c rpc.Counters) bool { return c.BadFrames[rpc.BodyTooLong] == 1 })
	})
}

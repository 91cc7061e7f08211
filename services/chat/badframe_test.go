package chat_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

// badFrames are what servers of this kind die of, and their neighbours.
var badFrames = []struct {
	name  string
	bytes []byte
	cause chat.Cause
}{
	{"length 0", field(0), chat.FrameTooShort},
	{"length 4, empty packet", field(4), chat.FrameTooShort},
	{"length 5, no room for an id", append(field(5), 3), chat.FrameTooShort},
	{"length 8, id one byte short", append(field(8), 3, 0, 0, 0), chat.FrameTooShort},
	{"length 0xFFFFFFFF", field(0xFFFFFFFF), chat.FrameNegative},
	{"most negative length", field(0x80000000), chat.FrameNegative},
	{"one over the limit", field(chat.MaxFrame + 1), chat.FrameTooLong},
	{"largest length", field(0x7FFFFFFF), chat.FrameTooLong},
	{"command 0", append(field(9), 0, 0, 0, 0, 1), chat.UnknownCommand},
	{"command 5", append(field(10), 5, 0, 0, 0, 1, 0), chat.UnknownCommand},
	{"an ack as a request", chat.AppendAck(nil, 1, chat.Accepted), chat.UnknownCommand},
}

func field(length uint32) []byte { return binary.BigEndian.AppendUint32(nil, length) }

// A bad frame ends its own connection, after the acks of the requests before it. Others
// notice nothing, and the log says who, what and in which stage.
func TestBadFrameEndsOneConnection(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		for _, bad := range badFrames {
			t.Run(bad.name, func(t *testing.T) {
				r := start(t, chat.Config{Stage: stage})
				bystander, culprit := r.user(t, "bystander", "", "hall"), r.member(t, "culprit", "hall")

				write(t, culprit, append(chat.AppendMessage(nil, 3, []byte("good")), bad.bytes...))
				got, err := io.ReadAll(culprit) // the server closes: this end is still open
				if want := chat.AppendAck(nil, 3, chat.Accepted); err != nil || !bytes.Equal(got, want) {
					t.Errorf("the client with the bad frame got %x, %v, want %x and the end", got, err, want)
				}
				culprit.Close()
				r.await(t, "count of the bad frame", func(c chat.Counters) bool {
					return c.BadFrames[bad.cause] == 1 && c.Connected == 1
				})
				hear(t, bystander, "culprit", "hall", "good")
				must(t, bystander.Ping(t.Context()))

				r.Logged(t, bad.cause.String(), culprit.LocalAddr().String(), "user=culprit", "conn=2", "stage="+stage)
				if n := strings.Count(r.Log.String(), "\n"); n != 1 {
					t.Errorf("%d log lines, want 1:\n%s", n, r.Log)
				}
			})
		}
	})
}

// Memory is not taken on a client's word: 40 clients that claim 2 GB, and 40 that
// claim the most that is allowed and send nothing of it, cost little.
func TestClaimedLengthTakesNoMemory(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		allocated := servicetest.Allocated(func() {
			for range 40 {
				write(t, r.Dial(t), field(0x7FFFFFFF))
				write(t, r.Dial(t), field(chat.MaxFrame))
			}
			r.await(t, "40 bad frames", func(c chat.Counters) bool { return c.BadFrames[chat.FrameTooLong] == 40 })
		})
		if took := allocated >> 20; took > 32 {
			t.Errorf("the server allocated %d MB for 80 clients that sent 4 bytes each", took)
		}
		r.mustServe(t)
	})
}

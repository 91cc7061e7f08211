package framed_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

// badFrames are what the published servers died of, and their neighbours.
var badFrames = []struct {
	name  string
	bytes []byte
	cause framed.Cause
}{
	{"length 0", field(0), framed.FrameTooShort},
	{"length 4, empty packet", field(4), framed.FrameTooShort},
	{"length 5, no room for an id", append(field(5), 2), framed.FrameTooShort},
	{"length 12, id one byte short", append(field(12), "\x02submit7"...), framed.FrameTooShort},
	{"length 0xFFFFFFFF", field(0xFFFFFFFF), framed.FrameNegative},
	{"most negative length", field(0x80000000), framed.FrameNegative},
	{"one over the limit", field(framed.MaxFrame + 1), framed.FrameTooLong},
	{"largest length", field(0x7FFFFFFF), framed.FrameTooLong},
	{"command 0", append(field(13), "\x00badframe"...), framed.UnknownCommand},
	{"command 3", append(field(14), "\x03badframe!"...), framed.UnknownCommand},
	{"an answer as a request", ack("badframe"), framed.UnknownCommand},
}

func field(length uint32) []byte { return binary.BigEndian.AppendUint32(nil, length) }

// A bad frame ends its own connection, after the answers to the requests before it.
// Others notice nothing, and the log says who, what and in which stage.
func TestBadFrameEndsOneConnection(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		for _, bad := range badFrames {
			t.Run(bad.name, func(t *testing.T) {
				r := start(t, framed.Config{Stage: stage.Name})
				bystander, culprit := r.Dial(t), r.Dial(t)
				write(t, bystander, submit("bystand1", "before")) // answered after the fault

				write(t, culprit, append(submit("culprit1", "good"), bad.bytes...))
				got, err := io.ReadAll(culprit) // the server closes: this end is still open
				if err != nil || !bytes.Equal(got, ack("culprit1")) {
					t.Errorf("the client with the bad frame got %x, %v, want one answer and the end", got, err)
				}
				culprit.Close()
				r.await(t, "count of the bad frame", func(c framed.Counters) bool { return c.BadFrames[bad.cause] == 1 })
				if c := r.Counters(); c.Connected != 1 {
					t.Errorf("%d clients left, want the bystander", c.Connected)
				}

				got = exchange(t, bystander, submit("bystand2", "after"))
				if want := append(ack("bystand1"), ack("bystand2")...); !bytes.Equal(got, want) {
					t.Errorf("the bystander got %x, want %x", got, want)
				}
				r.Logged(t, "bad frame", culprit.LocalAddr().String(), "stage="+stage.Name, bad.cause.String())
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
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		r := start(t, framed.Config{Stage: stage.Name})
		allocated := servicetest.Allocated(func() {
			for range 40 {
				write(t, r.Dial(t), field(0x7FFFFFFF))
				write(t, r.Dial(t), field(framed.MaxFrame))
			}
			r.await(t, "40 bad frames", func(c framed.Counters) bool { return c.BadFrames[framed.FrameTooLong] == 40 })
		})
		if took := allocated >> 20; took > 32 {
			t.Errorf("the server allocated %d MB for 80 clients that sent 4 bytes each", took)
		}
		r.mustServe(t)
	})
}

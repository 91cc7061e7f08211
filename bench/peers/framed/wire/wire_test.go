package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gohone/hone/services/framed"
)

// Each prefix of a stream gets the answers of its whole frames, and they are the
// reference service's own bytes.
func TestAnswersAreThoseOfTheService(t *testing.T) {
	var stream, want []byte
	var ends []int // of the frames in the stream
	for i, payload := range []string{"", "x", "a payload of some length"} {
		for _, command := range []framed.Command{framed.CommandConn, framed.CommandSubmit} {
			id := framed.ID{'i', 'd', byte(i), byte(command)}
			stream = framed.AppendRequest(stream, framed.Submit{Command: command, ID: id, Payload: []byte(payload)})
			want = framed.AppendAck(want, framed.Ack{Command: command.Ack(), ID: id, Result: framed.ResultAccepted})
			ends = append(ends, len(stream))
		}
	}
	for n := range len(stream) + 1 {
		whole, end := 0, 0
		for whole < len(ends) && ends[whole] <= n {
			end = ends[whole]
			whole++
		}
		got, used, err := Answer(nil, stream[:n])
		if err != nil || used != end || !bytes.Equal(got, want[:whole*AnswerSize]) {
			t.Fatalf("%d bytes: %d used, answers %x, %v; want %d, %x", n, used, got, err, end, want[:whole*AnswerSize])
		}
		if len(got) > MaxAnswers(n) {
			t.Errorf("%d bytes: %d bytes of answers, over MaxAnswers %d", n, len(got), MaxAnswers(n))
		}
	}
}

// What the service refuses is refused here, after the answers to what came before.
func TestBadFrames(t *testing.T) {
	good := framed.AppendRequest(nil, framed.Submit{Command: framed.CommandSubmit})
	for name, bad := range map[string][]byte{
		"too short":       {0, 0, 0, MinFrame - 1},
		"too long":        {0, 1, 0, 1},
		"negative":        {0x80, 0, 0, MinFrame},
		"unknown command": {0, 0, 0, MinFrame, 3, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		got, used, err := Answer(nil, append(good[:len(good):len(good)], bad...))
		if !errors.Is(err, ErrFrame) || used != len(good) || len(got) != AnswerSize {
			t.Errorf("%s: %d used, %d bytes of answers, %v", name, used, len(got), err)
		}
	}
}

package schemes_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// grpcMessage is a message with its prefix, as it says to be compressed or not and to be so long.
func grpcMessage(compressed byte, size uint32, content string) string {
	return string(binary.BigEndian.AppendUint32([]byte{compressed}, size)) + content
}

// However the messages of an answer are cut, into frames and between reads, it is judged the same.
func FuzzGRPCAnswers(f *testing.F) {
	whole := grpcMessage(0, 5, "hello")
	f.Add([]byte(whole), uint8(0), uint8(0), uint8(0))
	f.Add([]byte(whole+grpcMessage(0, 0, "")+whole), uint8(2), uint8(6), uint8(0))
	f.Add([]byte(whole[:8]), uint8(1), uint8(3), uint8(0))
	f.Add([]byte(grpcMessage(1, 2, "zz")), uint8(0), uint8(1), uint8(14))
	f.Add([]byte(grpcMessage(0, 1<<32-1, "x")), uint8(4), uint8(4), uint8(0))
	f.Add([]byte{}, uint8(0), uint8(0), uint8(5))
	const url = "grpc://h:1/demo.Greeter/SayHello"
	target, err := schemes.Parse(url, wire.Options{Expect: wire.Expect{Body: "ell"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte, frame, cut, status uint8) {
		judge := func(frame, step int) []load.Answer {
			d := target.Dialog(0)
			d.AppendRequest(nil, 0)
			s := callScript(body, frame)
			s.head(1, true, fmt.Sprintf("grpc-status: %d", status))
			return answers(t, d, s.Bytes(), step)
		}
		one, pieces := judge(16384, 1<<20), judge(int(frame)+1, int(cut)+1)
		if fmt.Sprint(one) != fmt.Sprint(pieces) || len(one) != 1 {
			t.Fatalf("whole %+v, in pieces %+v", one, pieces)
		}
		right := one[0].Cause == load.OK
		if right && (status != 0 || len(body) < 5 || body[0] != 0) {
			t.Errorf("status %d with %q is right", status, body)
		}
	})
}

// callScript is a server that answers a call with a body, in frames of a size.
func callScript(body []byte, frame int) *script {
	s := newScript(4, 65535)
	s.head(1, false, ":status: 200", "content-type: application/grpc")
	for rest := body; len(rest) > 0; {
		n := min(frame, len(rest), 16384)
		s.data(1, false, string(rest[:n]))
		rest = rest[n:]
	}
	return s
}

package helloworld_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/gohone/hone/services/rpc/helloworld"
)

// By hand the messages are the same bytes as by the library.
func TestMessagesAreTheLibrarys(t *testing.T) {
	for _, n := range []int{0, 5, 31, 32, 255, 256, 65535, 65536} {
		text := strings.Repeat("x", n)
		want, err := msgpack.Marshal(&helloworld.HelloRequest{Msg: text})
		if err != nil {
			t.Fatal(err)
		}
		request, reply := &helloworld.HelloRequest{Msg: text}, &helloworld.HelloReply{Msg: text}
		if got := request.AppendMsgpack(nil); !bytes.Equal(got, want) {
			t.Errorf("request of %d bytes is %.20x, want %.20x", n, got, want)
		}
		if got := reply.AppendMsgpack(nil); !bytes.Equal(got, want) {
			t.Errorf("reply of %d bytes is %.20x, want %.20x", n, got, want)
		}
		request.Msg, reply.Msg = "old", "old"
		if !request.DecodeMsgpack(want) || request.Msg != text || !reply.DecodeMsgpack(want) || reply.Msg != text {
			t.Errorf("%d bytes were decoded as %.20q, %.20q", n, request.Msg, reply.Msg)
		}
	}
}

// What is decoded by hand the library decodes to the same.
func FuzzMessage(f *testing.F) {
	f.Add([]byte("\x81\xa3Msg\xa5hello"))
	f.Add([]byte("\x81\xa3Msg\xd9\x05helloand more"))
	f.Add([]byte("\x81\xa3Msg\xda\x00"))
	f.Add([]byte("\x82\xa3Msg\xa1a\xa3Msg\xa1b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := helloworld.HelloRequest{Msg: "old"}
		if !got.DecodeMsgpack(b) {
			return
		}
		var want helloworld.HelloRequest
		if err := msgpack.Unmarshal(b, &want); err != nil || got != want {
			t.Errorf("%x by hand is %+v, by the library %+v, %v", b, got, want, err)
		}
	})
}

func BenchmarkMessage(b *testing.B) {
	m := &helloworld.HelloRequest{Msg: "hello"}
	bytes := m.AppendMsgpack(nil)
	b.Run("encode by hand", func(b *testing.B) {
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			dst = m.AppendMsgpack(dst[:0])
		}
	})
	b.Run("encode by library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := msgpack.Marshal(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !m.DecodeMsgpack(bytes) {
				b.Fatal("not taken")
			}
		}
	})
	b.Run("decode by library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := msgpack.Unmarshal(bytes, m); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package rpc

import "testing"

// The envelope of the published call, by hand and by the library.

func BenchmarkEnvelope(b *testing.B) {
	request := &Request{
		ServicePath: "/helloworld.Greeter/SayHello",
		Metadata:    Metadata{TimeoutKey: []byte("2000000")},
		Payload:     []byte("\x81\xa3Msg\xa5hello"),
	}
	body := AppendRequest(nil, request)
	b.Run("encode by hand", func(b *testing.B) {
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			dst = AppendRequest(dst[:0], request)
		}
	})
	b.Run("encode by library", func(b *testing.B) {
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			var err error
			if dst, err = (libraryEnvelope{}).appendRequest(dst[:0], request); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode by hand", func(b *testing.B) {
		b.ReportAllocs()
		var e envelope
		for b.Loop() {
			if !e.decode(body) {
				b.Fatal("not taken")
			}
		}
	})
	b.Run("decode by library", func(b *testing.B) {
		b.ReportAllocs()
		var r Request
		for b.Loop() {
			if err := (libraryEnvelope{}).decodeRequest(body, &r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

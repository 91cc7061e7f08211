package framed_test

import (
	"bufio"
	"io"
	"testing"

	"github.com/gohone/hone/services/framed"
)

// BenchmarkStream is one connection that sends without waiting, as the published
// client does: one operation is a submit of 37 bytes and its answer, client included.
func BenchmarkStream(b *testing.B) {
	for _, stage := range framed.Stages {
		b.Run(stage.Name, func(b *testing.B) {
			conn := start(b, framed.Config{Stage: stage.Name}).Dial(b)
			frame := submits(1)
			sent := make(chan error, 1)
			b.ReportAllocs()
			b.ResetTimer()
			go func() {
				w := bufio.NewWriterSize(conn, 16<<10)
				for range b.N {
					w.Write(frame) // an error stays and comes with Flush
				}
				if err := w.Flush(); err != nil {
					sent <- err
					return
				}
				sent <- conn.CloseWrite() // the end brings what noflush withholds
			}()
			n, err := io.Copy(io.Discard, conn)
			b.StopTimer()
			if err != nil || n != int64(b.N)*framed.AckSize {
				b.Errorf("%d bytes of answers to %d requests, %v", n, b.N, err)
			}
			if err := <-sent; err != nil {
				b.Error(err)
			}
		})
	}
}

// BenchmarkPingPong is one connection with one request outstanding. buffered-noflush
// has no figure: it never answers.
func BenchmarkPingPong(b *testing.B) {
	for _, stage := range framed.Stages {
		if stage.Name == "buffered-noflush" {
			continue
		}
		b.Run(stage.Name, func(b *testing.B) {
			conn := start(b, framed.Config{Stage: stage.Name}).Dial(b)
			frame, answer := submits(1), make([]byte, framed.AckSize)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := conn.Write(frame); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(conn, answer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package chat_test

import (
	"bufio"
	"fmt"
	"io"
	"testing"

	"github.com/gohone/hone/services/chat"
)

// BenchmarkBroadcast is one message to a room of ten, with its ack: nine broadcasts.
// The clients' part, some 25 system calls, is in the figure.
func BenchmarkBroadcast(b *testing.B) {
	for _, size := range []int{100, 2000} {
		for _, stage := range chat.Stages {
			b.Run(fmt.Sprintf("%d bytes/%s", size, stage.Name), func(b *testing.B) {
				r := start(b, chat.Config{Stage: stage.Name, Journal: io.Discard})
				talker := r.member(b, "talker", "hall")
				var others []*bufio.Reader
				for i := range 9 {
					others = append(others, bufio.NewReader(r.member(b, fmt.Sprint("listener-", i), "hall")))
				}
				text := make([]byte, size)
				for i := range text {
					text[i] = "a sentence that compresses well. "[i%33]
				}
				request, ack := chat.AppendMessage(nil, 3, text), make([]byte, chat.AckSize)
				b.ReportAllocs()
				for b.Loop() {
					talker.Write(request)
					for _, in := range others {
						head, err := in.Peek(4)
						if err != nil {
							b.Fatal(err)
						}
						in.Discard(int(head[2])<<8 | int(head[3]))
					}
					if _, err := io.ReadFull(talker, ack); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

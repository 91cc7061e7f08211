package chat_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

// Once warm, final allocates nothing for a message, its line and its broadcasts, small
// and large. The count is of the whole process: server, clients and runtime.
func TestFinalAllocatesNothingPerMessage(t *testing.T) {
	if servicetest.RaceDetector() {
		t.Skip("under the race detector a sync.Pool drops objects on purpose")
	}
	sentence := []byte(strings.Repeat("a sentence that compresses well. ", 60))
	for name, request := range map[string][]byte{
		"stored":               chat.AppendMessage(nil, 3, sentence[:100]),
		"compressed":           chat.AppendMessage(nil, 3, sentence),
		"compressed both ways": rawMessage(3, deflated(sentence)),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, chat.Config{Stage: "final", Journal: io.Discard})
			talker := r.member(t, "talker", "hall")
			var others []net.Conn
			for i := range 9 {
				others = append(others, r.member(t, fmt.Sprint("listener-", i), "hall"))
			}
			write(t, talker, request)
			read(t, talker, chat.AckSize)
			size := len(event(t, others[0])) // consumes the first broadcast
			for _, conn := range others[1:] {
				if n := len(event(t, conn)); n != size {
					t.Fatalf("one got %d bytes, another %d", size, n)
				}
			}
			write(t, talker, request)
			size = frame(t, others[0])
			for _, conn := range others[1:] {
				frame(t, conn)
			}
			ack, broadcast := make([]byte, chat.AckSize), make([]byte, size)
			read(t, talker, chat.AckSize)
			allocs := testing.AllocsPerRun(300, func() {
				talker.Write(request)
				io.ReadFull(talker, ack)
				for _, conn := range others {
					io.ReadFull(conn, broadcast)
				}
			})
			if c := r.Counters(); allocs != 0 || c.Messages != 303 || c.Deliveries != 303*9 {
				t.Errorf("%v allocations per message, want 0; counters %+v", allocs, c)
			}
		})
	}
}

// frame reads one frame and returns its size.
func frame(t *testing.T, conn net.Conn) int {
	t.Helper()
	head := read(t, conn, 4)
	size := int(head[2])<<8 | int(head[3])
	read(t, conn, size-4)
	return size
}

// What a message allocates is the tables of a zlib writer until zlib-reset, and little
// from there on: the order of magnitude is what the ladder is about.
func TestMemoryPerMessageIsTheWriter(t *testing.T) {
	if servicetest.RaceDetector() {
		t.Skip("under the race detector a sync.Pool drops objects on purpose")
	}
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage, Journal: io.Discard})
		talker, listener := r.member(t, "talker", "hall"), r.member(t, "listener", "hall")
		say := func(n int) {
			for range n {
				write(t, talker, chat.AppendMessage(nil, 3, []byte("not much")))
				read(t, talker, chat.AckSize)
				frame(t, listener)
			}
		}
		say(10) // warm
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const messages = 50
		say(messages)
		runtime.ReadMemStats(&after)
		perMessage := (after.TotalAlloc - before.TotalAlloc) / messages
		const writer = 500_000 // a flate writer's tables, in bytes, and more
		if dear := stage == "naive" || stage == "pooled-conn" || stage == "buffers"; dear != (perMessage > writer) {
			t.Errorf("%d bytes allocated per message; dear: %v", perMessage, dear)
		}
	})
}

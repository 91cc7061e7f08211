package rpc

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// posted is a link with one call on it that waits for its answer.
func posted(t *testing.T) (l *link, s *slot, c *call, index int, tick *atomic.Uint32) {
	t.Helper()
	ours, theirs := net.Pipe()
	swallowed := make(chan struct{})
	go func() { io.Copy(io.Discard, theirs); close(swallowed) }() // ends with the link
	cfg := ClientConfig{Addr: "unused", Window: 4}
	if _, err := cfg.fill(); err != nil {
		t.Fatal(err)
	}
	tick = new(atomic.Uint32)
	l = newLink(&cfg, ours, tick)
	t.Cleanup(func() {
		l.kill(ErrClosed)
		l.owners.Wait()
		<-swallowed
	})
	c = &call{path: "/p", req: &message{Text: "ask"}, reply: new(message)}
	s, index, err := l.reserve(context.Background(), KindRequest)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.encode(s, c); err != nil {
		t.Fatal(err)
	}
	if err := l.post(context.Background(), s, index, c, 1); err != nil {
		t.Fatal(err)
	}
	return l, s, c, index, tick
}

// answered gives the call its answer, as the reader does.
func answered(t *testing.T, l *link, s *slot, index int) {
	t.Helper()
	payload, err := libraryCodec{}.append(nil, &message{Text: "answer"})
	if err != nil {
		t.Fatal(err)
	}
	h := Header{Stream: stream(index, s.state.Load(), len(l.slots))}
	if err := l.answer(h, AppendResponse(nil, &Response{Payload: payload})); err != nil {
		t.Fatal(err)
	}
}

func expire(t *testing.T, l *link, s *slot, tick *atomic.Uint32) {
	t.Helper()
	tick.Store(100)
	l.beat(time.Now())
	if phase := s.state.Load() & slotPhase; phase != slotExpired {
		t.Fatalf("phase is %d after the call's time, want expired", phase)
	}
}

// An answer that comes between the clock's word and the caller's look is the caller's.
func TestAnswerAfterExpiryBeforeTheCallerLooks(t *testing.T) {
	l, s, c, index, tick := posted(t)
	expire(t, l, s, tick)
	answered(t, l, s, index)
	if err := l.wait(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if err := l.settle(context.Background(), s, c); err != nil || c.reply.(*message).Text != "answer" {
		t.Errorf("%+v, %v", c.reply, err)
	}
	if n := l.busy.Load(); n != 0 {
		t.Errorf("%d slots busy, want none", n)
	}
}

// A call that expired keeps its slot until the late answer comes, and no longer.
func TestExpiredCallKeepsItsSlot(t *testing.T) {
	l, s, _, index, tick := posted(t)
	expire(t, l, s, tick)
	if err := l.wait(context.Background(), s); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("wait: %v", err)
	}
	if busy, lost := l.busy.Load(), l.lost.Load(); busy != 1 || lost != 1 {
		t.Errorf("%d slots busy, %d lost, want the one", busy, lost)
	}
	late := s.state.Load()
	answered(t, l, s, index)
	if busy, lost := l.busy.Load(), l.lost.Load(); busy != 0 || lost != 0 {
		t.Errorf("%d slots busy, %d lost after the late answer, want none", busy, lost)
	}
	h := Header{Stream: stream(index, late, len(l.slots))}
	if err := l.answer(h, nil); err == nil {
		t.Error("the late answer was taken twice")
	}
}

// A slot has another stream id at each use, for as long as ids last.
func TestStreamIDsTellUsesApart(t *testing.T) {
	const window = 1024
	var s slot
	seen := make(map[uint16]bool)
	for use := range 1 << 16 / window {
		if !s.reserve(KindRequest) || s.reserve(KindRequest) {
			t.Fatalf("use %d: a free slot could not be reserved, or a taken one could", use)
		}
		id := stream(7, s.state.Load(), window)
		if seen[id] || id%window != 7 {
			t.Errorf("use %d: stream id %d, of another use or slot", use, id)
		}
		seen[id] = true
		s.move(slotFree)
	}
}

package schemes_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/services/chat"
)

// serveChat runs the reference server until the test ends.
func serveChat(t *testing.T, cfg chat.Config) (*chat.Server, string) {
	t.Helper()
	server, err := chat.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }()
	t.Cleanup(func() {
		if err := server.Shutdown(context.Background()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return server, "chat://" + ln.Addr().String()
}

// openChat opens a session and waits until all its connections are in their rooms, which
// they are without any request.
func openChat(t *testing.T, server *chat.Server, url string, plan load.Plan) *load.Session {
	t.Helper()
	target, err := schemes.Parse(url, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan.Timeout = 20 * time.Second
	s, err := load.Open(context.Background(), plan, target, target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for tries := 0; server.Counters().Requests < 2*uint64(plan.Connections); tries++ {
		if tries == 20_000 {
			t.Fatalf("no login and join came: %+v", server.Counters())
		}
		<-tick.C
	}
	return s
}

// Every stage of the real server is loaded without a fault, one request at a time and
// many, in rooms and alone, with small texts and large; each message reaches its room.
func TestChatLoadsTheServer(t *testing.T) {
	for _, stage := range chat.Stages {
		for _, c := range []struct {
			query string
			depth int
			reach uint64 // other members of a room, of 3 connections
		}{
			{"?room=3", 1, 2}, {"?room=3", 7, 2}, {"?room=1", 3, 0}, {"?room=3&text=5000", 2, 2},
		} {
			t.Run(fmt.Sprintf("%s%s depth %d", stage.Name, c.query, c.depth), func(t *testing.T) {
				server, url := serveChat(t, chat.Config{Stage: stage.Name})
				session := openChat(t, server, url+c.query, load.Plan{Connections: 3, Depth: c.depth})
				for session.Totals().Answered < 60 {
					if _, err := session.Slice(context.Background(), 10*time.Millisecond, 20*time.Second); err != nil {
						t.Fatal(err)
					}
				}
				s := server.Counters()
				got, err := session.Close()
				if err != nil || got.Failed+got.Unanswered > 0 || got.Causes != (load.Counts{}).Causes {
					t.Errorf("load: %+v, %v", got, err)
				}
				if s.Messages != got.Answered || s.Deliveries != c.reach*s.Messages || s.Refusals > 0 ||
					s.Accepted != 3 {
					t.Errorf("%d answers; the server counts %+v, want %d broadcasts each", got.Answered, s, c.reach)
				}
			})
		}
	}
}

// What the server refuses is no answer: a full room shows as wrong status, with its code.
func TestChatShowsRefusals(t *testing.T) {
	server, url := serveChat(t, chat.Config{MaxRoom: 1})
	s := openChat(t, server, url+"?room=2", load.Plan{Connections: 2, Depth: 1})
	for s.Totals().Failed < 10 || s.Totals().Answered < 10 {
		slice, err := s.Slice(context.Background(), 10*time.Millisecond, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if slice.Failed > 0 && slice.Codes[int(chat.RoomFull)] != slice.Failed {
			t.Errorf("%d failed, codes %v, want all with %d", slice.Failed, slice.Codes, chat.RoomFull)
		}
	}
	if c := s.Totals(); c.Causes[load.WrongStatus] != c.Failed {
		t.Errorf("faults are %v of %d failed, want wrong status", c.Causes, c.Failed)
	}
}

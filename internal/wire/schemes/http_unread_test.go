package schemes_test

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// unreadServer is a server of HTTP/2 that does not look at some requests, and says so: how, the path says.
type unreadServer struct {
	mu   sync.Mutex
	seen map[string]int // answered requests by query
}

func (u *unreadServer) serve(c net.Conn) {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(c, preface); err != nil {
		return
	}
	var out bytes.Buffer // written at once, so that what the client sends next is on its way already
	f := http2.NewFramer(&out, c)
	f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	_ = f.WriteSettings()
	for n := 0; ; {
		if _, err := c.Write(out.Bytes()); err != nil {
			return
		}
		out.Reset()
		frame, err := f.ReadFrame()
		if err != nil {
			return
		}
		if s, ok := frame.(*http2.SettingsFrame); ok && !s.IsAck() {
			_ = f.WriteSettingsAck()
		}
		head, ok := frame.(*http2.MetaHeadersFrame)
		if !ok {
			continue
		}
		n++
		path, query, _ := strings.Cut(head.PseudoValue("path"), "?")
		last, gone := head.StreamID, false
		switch {
		case path == "/nginx" && n == 20, path == "/twice" && n == 20:
			gone = true
			_ = f.WriteGoAway(last, http2.ErrCodeNo, nil)
		case path == "/twice" && n == 15:
			_ = f.WriteGoAway(1<<31-1, http2.ErrCodeNo, nil)
		case path == "/leaves-out" && n == 20:
			_ = f.WriteGoAway(last-2, http2.ErrCodeNo, nil)
			_, _ = c.Write(out.Bytes())
			return
		case path == "/refuses" && n%5 == 0, path == "/refuses-all":
			_ = f.WriteRSTStream(head.StreamID, http2.ErrCodeRefusedStream)
			continue
		}
		u.mu.Lock()
		u.seen[query]++
		u.mu.Unlock()
		var block bytes.Buffer
		e := hpack.NewEncoder(&block)
		_ = e.WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
		_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: head.StreamID, BlockFragment: block.Bytes(),
			EndHeaders: true, EndStream: true})
		if gone {
			_, _ = c.Write(out.Bytes())
			_, _ = io.Copy(io.Discard, c) // the client ends the connection
			return
		}
	}
}

// What a server has not looked at is sent again and fails nothing: RFC 9113 sections 6.8 and 8.7.
func TestWhatAServerHasNotLookedAtIsSentAgain(t *testing.T) {
	for _, path := range []string{"/nginx", "/twice", "/leaves-out", "/refuses"} {
		for engine := range engines {
			t.Run(path[1:]+", "+engine, func(t *testing.T) {
				u := &unreadServer{seen: map[string]int{}}
				url := "http://" + serveTCP(t, u.serve)[len("tcp://"):] + path + "?{row}"
				o := wire.Options{HTTP2: true, Feed: table("row", "a", "b", "c", "d")}
				got := tryToFire(t, engine, url, o, 10, 2000)
				if got.Failed > 0 || got.Answered != got.Sent || got.Sent+got.Unsent != 2000 {
					t.Errorf("%+v", got.Counts)
				}
				// Nor is another request sent instead.
				u.mu.Lock()
				defer u.mu.Unlock()
				if least, most := min(u.seen["a"], u.seen["d"]),
					max(u.seen["a"], u.seen["d"]); got.Unsent == 0 && most-least > 30 {
					t.Errorf("rows of the feed: %v", u.seen)
				}
			})
		}
	}
}

// The same at a rate, where times count from when a request was due.
func TestUnreadRequestsAtARateAreSentAgain(t *testing.T) {
	for engine, wrap := range engines {
		u := &unreadServer{seen: map[string]int{}}
		url := "http://" + serveTCP(t, u.serve)[len("tcp://"):] + "/refuses"
		s := open(t, url, wire.Options{HTTP2: true}, load.Plan{Connections: 2, Depth: 10, Timeout: 20 * time.Second},
			wrap)
		var all load.Tally
		if err := s.Run(t.Context(), load.Stretch{Schedule: load.OpenLoop(1000, 300*time.Millisecond),
			Drain: 20 * time.Second}, all.Add); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Close(); err != nil || all.Failed > 0 || all.Answered != all.Sent || all.Sent+all.Unsent != 300 {
			t.Errorf("%s: %+v, %v", engine, all.Counts, err)
		}
	}
}

// One that refuses everything is not asked for ever.
func TestAServerThatRefusesAllRequests(t *testing.T) {
	for engine := range engines {
		u := &unreadServer{seen: map[string]int{}}
		url := "http://" + serveTCP(t, u.serve)[len("tcp://"):] + "/refuses-all"
		if got := tryToFire(t, engine, url, wire.Options{HTTP2: true}, 4, 100); got.Failed != 100 ||
			got.Causes[load.WrongStatus] != 100 {
			t.Errorf("%s: %+v", engine, got.Counts)
		}
	}
}

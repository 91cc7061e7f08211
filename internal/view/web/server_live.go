package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/view/page"
)

// live tells of the measurements that go on, as server-sent events (WHATWG HTML, section 9.2), until the reader goes or
// the server ends. It reads files only: a measurement does not know of it.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Content-Type", "text/event-stream")
		return // a stream has no end that HEAD could wait for
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		w.Header().Set("Retry-After", "5")
		refuse(w, r, http.StatusServiceUnavailable, fmt.Sprintf("There are %d live pages already.", cap(s.streams)),
			"close the tabs that you do not need")
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	states, ended := make(chan live.State), make(chan error, 1)
	go func() { // ends with ctx
		ended <- live.Watch(ctx, s.Ledger, func(state live.State) error {
			select {
			case states <- state:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	watching := true
	defer func() {
		cancel()
		if watching {
			<-ended
		}
	}()
	e := &events{w: w, limits: http.NewResponseController(w), patience: s.patience}
	w.Header().Set("Content-Type", "text/event-stream")
	// The comment tells the browser at once that the stream is open.
	if e.send(": hone\n\n") != nil {
		return
	}
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-ended: // the directory has gone
			watching = false
			return
		case <-beat.C:
			err = e.send(": \n\n")
		case state := <-states:
			var text []byte
			if text, err = json.Marshal(page.LiveOf(state)); err == nil {
				err = e.send("event: live\ndata: " + string(text) + "\n\n") // JSON has no line ends
			}
		}
		if err != nil {
			return
		}
	}
}

// events is a stream to one reader.
type events struct {
	w        http.ResponseWriter
	limits   *http.ResponseController
	patience time.Duration
}

// send writes an event. A reader that does not take it in time is dropped: the error says so.
func (e *events) send(text string) error {
	if err := e.limits.SetWriteDeadline(time.Now().Add(e.patience)); err != nil {
		return err
	}
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.limits.Flush()
}

package watch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// silentService listens as the framed server does: it reads a length before it answers
// anything. It keeps what every connection sent.
type silentService struct {
	ln    net.Listener
	mu    sync.Mutex
	heard map[net.Conn]*bytes.Buffer
	ends  sync.WaitGroup
}

func serveSilently(t *testing.T) *silentService {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &silentService{ln: ln, heard: map[net.Conn]*bytes.Buffer{}}
	t.Cleanup(func() { s.hangUp(); ln.Close(); s.ends.Wait() })
	s.ends.Go(func() { // ends with the listener
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.heard[c] = &bytes.Buffer{}
			s.mu.Unlock()
			s.ends.Go(func() { // ends with the connection
				b := make([]byte, 100)
				for {
					n, err := c.Read(b)
					s.mu.Lock()
					s.heard[c].Write(b[:n])
					s.mu.Unlock()
					if err != nil {
						return
					}
				}
			})
		}
	})
	return s
}

// hangUp ends all connections.
func (s *silentService) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.heard {
		c.Close()
	}
}

// texts are what the connections sent.
func (s *silentService) texts() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.heard {
		all = append(all, b.String())
	}
	return all
}

// A service that is not HTTP gets two bytes, once, for as long as it is watched.
func TestAServiceThatIsNotHTTPIsAskedOnce(t *testing.T) {
	s := serveSilently(t)
	target, err := ParseTarget(s.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var w *Watch
	known := 0
	a := &album{}
	a.on = func(n int) {
		switch told := strings.Join(a.last().Warnings, "\n"); {
		case n == 5:
			s.hangUp() // the answer will not come
		case strings.Contains(told, "does not answer as HTTP/1 does") && strings.Contains(told, "--metrics"):
			if known++; known == 5 {
				w.Do(TakeProfile)
			}
			if known == 10 {
				w.Do(Quit)
			}
		case n > 300:
			t.Errorf("warnings %q", told)
			w.Do(Quit)
		}
	}
	profiled := false
	w, err = New(Config{Target: target, Interval: shortestInterval,
		Profile: func(context.Context) (string, []string, error) {
			profiled = true
			return "", nil, errors.New("no profile")
		}}, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.texts(); len(got) != 1 || got[0] != httpQuestion {
		t.Errorf("the service got %q, want %q on one connection", got, httpQuestion)
	}
	if profiled {
		t.Error("its profiles were asked for")
	}
}

// What is named is asked, also at an address that was not found to be HTTP.
func TestWhatIsNamedIsAsked(t *testing.T) {
	s := serveSilently(t)
	target, err := ParseTarget("http://" + s.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if target.AnyProtocol {
		t.Errorf("%+v", target)
	}
	var w *Watch
	w, err = New(Config{Target: target, Interval: shortestInterval}, &album{on: func(n int) {
		if strings.Contains(strings.Join(s.texts(), ""), "GET /metrics HTTP/1.1") {
			w.Do(Quit)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestHTTPCheck(t *testing.T) {
	service := httptest.NewServer(http.NotFoundHandler())
	defer service.Close()
	if err := newHTTPCheck(service.Listener.Addr().String()).speaks(t.Context()); err != nil {
		t.Errorf("net/http: %v", err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var asked int
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			asked++
			io.WriteString(c, "-ERR unknown command\r\n")
			c.Close()
		}
	})
	check := newHTTPCheck(ln.Addr().String())
	for range 3 {
		if err := check.speaks(t.Context()); !errors.As(err, new(refusal)) {
			t.Errorf("another protocol: %v", err)
		}
	}
	ln.Close()
	ended.Wait()
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	gone := newHTTPCheck(ln.Addr().String())
	if err := gone.speaks(t.Context()); !errors.As(err, new(unreachable)) || gone.asked {
		t.Errorf("where no program listens: %v", err)
	}
}

// A page that was only guessed is asked once more only after a right answer.
func TestGuessedPagesAreLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		steps []step
		final bool // a refusal in the end
	}{
		"an error page":            {[]step{{err: errors.New("answers 500")}}, true},
		"an error page later":      {[]step{{value: cores(1)}, {err: errors.New("answers 500")}}, false},
		"no answer in time":        {[]step{{err: timedOut{errors.New("no answer")}}}, false},
		"no program listens":       {[]step{{err: unreachable{errors.New("refused")}}}, false},
		"a page that is not there": {[]step{{err: refusal{errors.New("answers 404")}}}, true},
	} {
		g := &guessed{source: &scripted{what: "s", steps: c.steps}}
		var err error
		for range c.steps {
			_, err = g.read(t.Context())
		}
		if got := errors.As(err, new(refusal)); got != c.final {
			t.Errorf("%s: %v", name, err)
		}
	}
}

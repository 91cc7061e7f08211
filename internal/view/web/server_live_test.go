package web

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/view/page"
)

// quiet is a sink that passes over what it hears.
type quiet struct{}

func (quiet) Phase(string, time.Duration) {}
func (quiet) Tick(progress.Tick)          {}
func (quiet) Warn(string)                 {}

// stream opens the stream of live measurements.
func (s *served) stream(t *testing.T) (*bufio.Scanner, func()) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/v1/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Cookie", s.cookie)
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("stream: %s, %s", answer.Status, answer.Header.Get("Content-Type"))
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	return lines, func() { _ = answer.Body.Close() }
}

// next reads up to the next event.
func next(t *testing.T, lines *bufio.Scanner) (l page.Live) {
	t.Helper()
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatal(err)
			}
			return l
		}
	}
	t.Fatal("the stream ended", lines.Err())
	return l
}

func TestStreamsTellOfMeasurementsUntilTheyEnd(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	lines, end := s.stream(t)
	defer end()
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), ":") {
		t.Fatalf("while nothing runs: %q", lines.Text())
	}
	m := live.Tell(dir, "run", "hone run ./server", quiet{})
	m.Phase("measure <b>", time.Minute)
	l := next(t, lines)
	for l.Phase != "measure <b>" {
		l = next(t, lines)
	}
	if l.Kind != page.KindRun || l.Command != "hone run ./server" || l.Ended {
		t.Errorf("%+v", l)
	}
	other, endOther := s.stream(t) // who comes later sees it, too
	defer endOther()
	if got := next(t, other); got.Key != l.Key {
		t.Errorf("the second stream has %+v", got)
	}
	m.End()
	for !l.Ended {
		l = next(t, lines)
	}
	if err := s.end(); err != nil { // streams end with the server
		t.Error(err)
	}
	for lines.Scan() {
		t.Logf("after the end: %q", lines.Text())
	}
}

func TestStreamsBeatAndAreBounded(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := serving(t, dir)
	s.enter(t)
	s.heartbeat = time.Millisecond // no stream has begun
	var ends []func()
	for range mostStreams {
		lines, end := s.stream(t)
		ends = append(ends, end)
		for beats := 0; beats < 3; {
			if !lines.Scan() {
				t.Fatal("the stream ended", lines.Err())
			}
			if strings.HasPrefix(lines.Text(), ":") {
				beats++
			}
		}
	}
	answer, body := s.ask(t, "GET", "/api/v1/live")
	if answer.StatusCode != 503 || !strings.Contains(body, "16 live pages") || answer.Header.Get("Retry-After") == "" {
		t.Errorf("one more: %s %s", answer.Status, body)
	}
	for _, end := range ends {
		end()
	}
	s.streams <- struct{}{} // free when the server has seen that a reader went
	<-s.streams
}

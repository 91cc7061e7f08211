package pprofweb

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"go.uber.org/goleak"

	"github.com/gohone/hone/prof"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// atHome gives a test directories of its own for all that pprof may write to, and returns
// the one that holds them.
func atHome(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "TMPDIR", "PPROF_TMPDIR"} {
		t.Setenv(name, dir)
	}
	return dir
}

// capture is a CPU profile: main.work, which main.main calls, costs cost ns, in file.
func capture(file string, cost int64, operations uint64) prof.Capture {
	mapping := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x2000, File: "/bin/work", BuildID: "cafe"}
	function := func(id uint64, name string) *profile.Function {
		return &profile.Function{ID: id, Name: name, SystemName: name, Filename: file, StartLine: int64(id)}
	}
	main, work := function(1, "main.main"), function(2, "main.work")
	location := func(f *profile.Function, line int64) *profile.Location {
		return &profile.Location{ID: f.ID, Mapping: mapping, Address: 0x1000 + f.ID, Line: []profile.Line{{Function: f, Line: line}}}
	}
	outer, inner := location(main, 4), location(work, 8)
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1,
		Mapping: []*profile.Mapping{mapping}, Function: []*profile.Function{main, work},
		Location: []*profile.Location{outer, inner},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{inner, outer}, Value: []int64{cost, cost}},
		},
	}
	return prof.Capture{Kind: "cpu", Profile: p, Operations: operations}
}

// workSource is the text that capture's lines are of.
const workSource = `package main

func main() {
	work()
}

func work() {
	for sum := 0; ; sum++ { // the loop & its <costs>
	}
}
`

// texts are source files by name.
type texts map[string]string

func (t texts) Source(name string) ([]byte, error) {
	text, ok := t[name]
	if !ok {
		return nil, io.EOF
	}
	return []byte(text), nil
}

// heap is a profile of this process, which holds enough for the profiler to have seen it
// (one sample per 512 kB), and for long enough (what is allocated is told two collections
// later).
func heap(t testing.TB) prof.Capture {
	t.Helper()
	held := make([][]byte, 100)
	for i := range held {
		held[i] = make([]byte, 512<<10)
	}
	runtime.GC()
	runtime.GC()
	var file bytes.Buffer
	if err := pprof.Lookup("heap").WriteTo(&file, 0); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(held)
	c, err := prof.ReadCapture(&file, prof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// serve serves the profiles and returns the address.
func serve(t testing.TB, profiles ...Profile) string {
	t.Helper()
	site, err := New("run 1", "run 0", profiles)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = site.Handler(server.Listener.Addr(), "127.0.0.1")
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// get follows no redirects. Headers are pairs; the one called Host is the request's.
func get(t testing.TB, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	return ask(t, http.MethodGet, url, headers...)
}

func ask(t testing.TB, method, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		} else {
			request.Header.Add(headers[i], headers[i+1])
		}
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer, string(body)
}

// wantPage wants an answer with a status and texts in it.
func wantPage(t *testing.T, url string, status int, texts ...string) {
	t.Helper()
	answer, body := get(t, url)
	if answer.StatusCode != status {
		t.Errorf("%s: status %d, want %d: %.200q", url, answer.StatusCode, status, body)
	}
	for _, text := range texts {
		if !strings.Contains(body, text) {
			t.Errorf("%s has no %q", url, text)
		}
	}
}

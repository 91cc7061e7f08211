package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

type silent struct{}

func (silent) Phase(string, time.Duration) {}
func (silent) Tick(progress.Tick)          {}
func (silent) Warn(string)                 {}

// loaded is a ledger with one real load test, of which every third answer is wrong if wrong.
func loaded(t *testing.T, wrong bool, s load.Schedule) (*Library, string) {
	t.Helper()
	return loadedWith(t, wrong, s, wire.Options{})
}

func loadedWith(t *testing.T, wrong bool, s load.Schedule, o wire.Options) (*Library, string) {
	t.Helper()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; wrong && n%3 == 0 { // one connection: one request at a time
			w.WriteHeader(http.StatusInternalServerError)
		}
		fmt.Fprint(w, "ok")
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "hone")
	tester := &loadtest.Tester{Version: "test", Progress: silent{},
		Ledger: func() (*ledger.Ledger, error) { return ledger.Open(dir) }}
	out, err := tester.Run(t.Context(), t.Context(), loadtest.Task{
		Load: spec.Load{
			Target: server.URL + "/items", Protocol: o,
			Plan: load.Plan{Connections: 1, Depth: 1, Timeout: 10 * time.Second, RequestTimeout: 10 * time.Second},
		},
		Sending: spec.Sending{Schedule: s, Drain: 5 * time.Second, Interval: 50 * time.Millisecond},
	})
	if out == nil {
		t.Fatal(err)
	}
	reader, err := ledger.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	return &Library{Stored: &stored.Library{Ledger: reader}}, out.Run
}

// words are those of a text without its line breaks.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// What the page of a load test says stands in the terminal's report of it.
func TestALoadTestSaysWhatTheTerminalSays(t *testing.T) {
	for name, c := range map[string]struct {
		wrong    bool
		schedule load.Schedule
	}{
		"closed": {false, load.ClosedLoop(300 * time.Millisecond)},
		"open":   {false, load.OpenLoop(200, 300*time.Millisecond)},
		"wrong":  {true, load.Schedule{Requests: 300}},
	} {
		t.Run(name, func(t *testing.T) {
			l, id := loaded(t, c.wrong, c.schedule)
			p, err := l.Run(id)
			if err != nil {
				t.Fatal(err)
			}
			row, err := l.Stored.Ledger.Run(id)
			if err != nil {
				t.Fatal(err)
			}
			slices, err := l.Stored.Ledger.Slices(id)
			if err != nil {
				t.Fatal(err)
			}
			latency, err := history.Latency(slices)
			if err != nil {
				t.Fatal(err)
			}
			var doc loadtests.Document
			if err := json.Unmarshal(row.Doc, &doc); err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := report.Load(&b, &doc, latency, model.Full); err != nil {
				t.Fatal(err)
			}
			terminal := words(b.String())
			said := append([]string{p.Check.Text, p.Commands[1].Line}, p.Under...)
			for _, r := range append(p.Numbers, p.Errors...) {
				if r.Note == "" { // the percentiles, which are a table there
					said = append(said, r.Text)
				}
			}
			for _, m := range p.Latency.Marks {
				said = append(said, m.Text)
			}
			for _, text := range said {
				if !strings.Contains(terminal, words(text)) {
					t.Errorf("%q is not in\n%s", text, &b)
				}
			}
			if bad := p.Check.Tone == model.Bad; p.Kind != KindLoad || bad != (row.Status == ledger.Invalid) ||
				(len(p.Errors) > 0) != c.wrong {
				t.Errorf("kind %s, check %+v, errors %v of a run that is %s", p.Kind, p.Check, p.Errors, row.Status)
			}
			answered := uint64(0)
			for _, column := range p.HeatMap.Counts {
				for _, n := range column {
					answered += n
				}
			}
			if answered != uint64(doc.Summary.Latency.Count) || p.Latency.Count != doc.Summary.Latency.Count ||
				len(p.Timeline.Seconds) != len(slices) {
				t.Errorf("the heat map has %d answers, the curve %d, the document %d", answered, p.Latency.Count,
					doc.Summary.Latency.Count)
			}
			if _, err := json.Marshal(p); err != nil {
				t.Error(err)
			}
		})
	}
}

// A test that died has a page that says so.
func TestALoadTestWithoutAResult(t *testing.T) {
	l, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	doc, err := json.Marshal(loadtests.Document{Schema: loadtests.Schema, Label: "http://h/", Target: "http://h/"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.BeginRun(ledger.Run{Label: "http://h/", Doc: doc})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(ledger.Interrupted, "interrupted while warming up", nil); err != nil {
		t.Fatal(err)
	}
	p, err := (&Library{Stored: &stored.Library{Ledger: l}}).Run(d.ID())
	if err != nil || p.Check.Text != "no result (interrupted): interrupted while warming up" || p.Latency != nil ||
		p.Check.Tone != model.Warning {
		t.Errorf("page %+v: %v", p, err)
	}
}

// Targets that a load test tells apart, and streams, are on its page.
func TestALoadTestShowsItsTargets(t *testing.T) {
	o := wire.Options{Requests: []wire.Request{{}, {Path: "/other", Weight: 1}}, Streams: wire.Streams{All: true}}
	l, id := loadedWith(t, false, load.Schedule{Requests: 400}, o)
	p, err := l.Run(id)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]model.Row{}
	for _, row := range p.Numbers {
		rows[row.Name] = row
	}
	for _, name := range []string{"GET /items", "GET /other"} {
		if row := rows[name]; !strings.HasPrefix(row.Text, "p50 ") || row.Note != "200 right, 0 failed" {
			t.Errorf("%s: %+v", name, row)
		}
	}
	if row := rows["first byte"]; !strings.HasPrefix(row.Text, "p50 ") {
		t.Errorf("first byte: %+v", row)
	}
}

package pull

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/prof"
)

// silent is a progress without a reader.
type silent struct{}

func (silent) Phase(string, time.Duration) {}
func (silent) Tick(progress.Tick)          {}
func (silent) Warn(string)                 {}

func emptyStore(t *testing.T) Store {
	t.Helper()
	store, err := ledger.Open(t.TempDir() + "/ledger")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return Store{Ledger: store}
}

func pages(t *testing.T, address string) *pprofhttp.Client {
	t.Helper()
	c, err := pprofhttp.New(address)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Fault 22: what cannot be had is a warning, and the rest is kept.
func TestCaptureKeepsWhatItGets(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.Handle("/debug/pprof/heap", pprof.Handler("heap"))
	mux.Handle("/debug/pprof/goroutine", pprof.Handler("goroutine"))
	s := httptest.NewServer(mux)
	defer s.Close()
	l := emptyStore(t)
	id, warnings, err := l.Keep(Take(t.Context(), silent{},
		Remote{Service: pages(t, s.URL), CPUTime: time.Second}))
	if err != nil || len(warnings) != 3 || !strings.Contains(strings.Join(warnings, "\n"),
		"/debug/pprof/allocs answers 404") {
		t.Errorf("%v, warnings %q", err, warnings)
	}
	run, err := l.Ledger.Run(id)
	if err != nil || run.Status != ledger.Complete || run.Label != s.URL {
		t.Errorf("%+v, %v", run, err)
	}
	artefacts, err := l.Ledger.Artefacts(id)
	if err != nil || len(artefacts) != 3 || artefacts[0].Name != "cpu.pb.gz" {
		t.Errorf("%v, %v", artefacts, err)
	}
	var doc record.Captured
	if err := json.Unmarshal(run.Doc, &doc); err != nil || doc.Schema != record.CaptureSchema || doc.ID != id ||
		!slices.Equal(doc.Profiles, []string{"cpu", "heap", "goroutine"}) {
		t.Errorf("document %s, %v", run.Doc, err)
	}
	// runtime/pprof takes the begin of the duration when its writer first
	// runs, some milliseconds after the profile began.
	if c := doc.Captures[0]; c.Kind != "cpu" || c.Times != 1 || c.Duration < 900*time.Millisecond ||
		len(doc.Warnings) != 3 {
		t.Errorf("captures %+v, warnings %q", doc.Captures, doc.Warnings)
	}
}

func TestCaptureOfNothing(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	l := emptyStore(t)
	id, _, err := l.Keep(Take(t.Context(), silent{},
		Remote{Service: pages(t, s.URL), CPUTime: time.Second}))
	var known *fail.Error
	if !errors.As(err, &known) || known.Kind != fail.Subject {
		t.Errorf("error %v", err)
	}
	if run, err := l.Ledger.Run(id); err != nil || run.Status != ledger.Invalid {
		t.Errorf("%+v, %v", run, err)
	}
}

func TestCaptureInterrupted(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	l := emptyStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	id, _, err := l.Keep(Take(ctx, silent{}, Remote{Service: pages(t, s.URL), CPUTime: time.Second}))
	var known *fail.Error
	if !errors.As(err, &known) || known.Kind != fail.Interrupted {
		t.Errorf("error %v", err)
	}
	if run, err := l.Ledger.Run(id); err != nil || run.Status != ledger.Interrupted {
		t.Errorf("%+v, %v", run, err)
	}
}

func TestImport(t *testing.T) {
	l := emptyStore(t)
	p := httptestProfile(t)
	id, err := l.Import(ledger.Run{Label: "cpu.out"}, "", []prof.Capture{p, p})
	if err != nil {
		t.Fatal(err)
	}
	artefacts, err := l.Ledger.Artefacts(id)
	if err != nil || len(artefacts) != 2 || artefacts[1].Name != "goroutine.2.pb.gz" {
		t.Errorf("%v, %v", artefacts, err)
	}
	run, err := l.Ledger.Run(id)
	if err != nil {
		t.Fatal(err)
	}
	var doc record.Captured
	if err := json.Unmarshal(run.Doc, &doc); err != nil || len(doc.Captures) != 1 || doc.Captures[0].Times != 2 ||
		doc.Label != "cpu.out" {
		t.Errorf("document %s, %v", run.Doc, err)
	}
}

// httptestProfile is a profile of this process.
func httptestProfile(t *testing.T) prof.Capture {
	t.Helper()
	s := httptest.NewServer(pprof.Handler("goroutine"))
	defer s.Close()
	answer, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	c, err := prof.ReadCapture(answer.Body, prof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

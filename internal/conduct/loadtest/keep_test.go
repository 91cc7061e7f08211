package loadtest_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// warned keeps what the user was warned of.
type warned struct {
	silent
	texts []string
}

func (w *warned) Warn(text string) { w.texts = append(w.texts, text) }

// keeper is a tester with a ledger in dir.
func keeper(dir string) (*loadtest.Tester, *warned) {
	w := &warned{}
	return &loadtest.Tester{Version: "test", Progress: w,
		Ledger: func() (*ledger.Ledger, error) { return ledger.Open(dir) }}, w
}

// The slices in the ledger add up to the recording, and its document is the recording's summary.
func TestATestIsKeptAsItWasRecorded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hone")
	l, w := keeper(dir)
	out, err := l.Run(t.Context(), t.Context(), short(serve(t, ok), load.ClosedLoop(300*time.Millisecond)))
	if out == nil || len(w.texts) > 0 {
		t.Fatal(err, w.texts)
	}
	store, err := ledger.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	run, err := store.Run(out.Run)
	if err != nil {
		t.Fatal(err)
	}
	var doc loadtests.Document
	if err := json.Unmarshal(run.Doc, &doc); err != nil || doc.ID != out.Run || doc.Summary == nil ||
		doc.Summary.Run != out.Run {
		t.Fatalf("document %+v: %v", doc, err)
	}
	slices, err := store.Slices(run.ID)
	if err != nil || len(slices) != len(out.Recording.Slices) {
		t.Fatalf("%d slices, the recording has %d: %v", len(slices), len(out.Recording.Slices), err)
	}
	answered := uint64(0)
	for _, s := range slices {
		answered += s.Answered
	}
	if c := out.Recording.Final.Counts; answered != c.Answered || doc.Summary.Account.Answered != answered {
		t.Errorf("%d answered in the slices, %d in the document, %d in the recording", answered,
			doc.Summary.Account.Answered, c.Answered)
	}
	measures, err := store.Measures(run.ID)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]float64{}
	for _, m := range measures {
		have[m.Name] = m.Value
	}
	if have["rate"] != doc.Summary.AchievedHz || have["p50"] != float64(doc.Summary.Latency.P50) || have["cpu"] != 0 {
		t.Errorf("measures %v, the summary has %+v", have, doc.Summary.Totals)
	}
	if !strings.Contains(run.Plan, "load test of 127.0.0.1:") {
		t.Errorf("plan %q does not name the host", run.Plan)
	}
}

// Another rate is another plan; another host as well, unlike that of a program that hone starts.
func TestPlansOfLoadTests(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hone")
	plans := map[string]bool{}
	url, other := serve(t, ok), serve(t, ok)
	for _, r := range []loadtest.Task{
		short(url, load.Schedule{Requests: 50}), short(url, load.Schedule{Requests: 60}),
		short(other, load.Schedule{Requests: 50}),
		short(url, load.OpenLoop(100, 100*time.Millisecond)), short(url, load.OpenLoop(200, 100*time.Millisecond)),
	} {
		l, _ := keeper(dir)
		out, err := l.Run(t.Context(), t.Context(), r)
		if out == nil {
			t.Fatal(err)
		}
		store, err := ledger.OpenReader(dir)
		if err != nil {
			t.Fatal(err)
		}
		run, err := store.Run(out.Run)
		if err := errors.Join(err, store.Close()); err != nil {
			t.Fatal(err)
		}
		plans[run.Plan] = true
	}
	if len(plans) != 4 { // how long a closed loop lasts makes no other plan
		t.Errorf("plans %v, want 4", plans)
	}
}

// A ledger that cannot be had changes nothing but a note.
func TestWithoutALedgerTheTestGoesOn(t *testing.T) {
	l, w := keeper("/proc/none")
	out, err := l.Run(t.Context(), t.Context(), short(serve(t, ok), load.Schedule{Requests: 50}))
	if out == nil || fail.KindOf(err) == fail.Storage {
		t.Fatal(err)
	}
	if len(w.texts) != 1 || out.Run != "" {
		t.Errorf("warned of %q, run %q; want one note and no run", w.texts, out.Run)
	}
}

// The row of an invalid test says why.
func TestAnInvalidTestIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hone")
	l, _ := keeper(dir)
	r := short(serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }),
		load.ClosedLoop(50*time.Millisecond))
	out, err := l.Run(t.Context(), t.Context(), r)
	if out == nil || fail.KindOf(err) != fail.Invalid {
		t.Fatalf("%v, want an invalid measurement", err)
	}
	store, err := ledger.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	run, err := store.Run(out.Run)
	if err != nil || run.Status != ledger.Invalid || run.Reason == "" {
		t.Errorf("run %+v: %v", run, err)
	}
}

// A test that an open ledger, or a full disk, does not keep is an error; without a ledger it goes on as it is.
func TestALostRecordIsAnError(t *testing.T) {
	target := serve(t, ok)
	for _, c := range []struct {
		name string
		open func(dir string) (*ledger.Ledger, error)
		lost bool
	}{
		{"no ledger can be made here", func(string) (*ledger.Ledger,
			error) {
			return nil, fail.New(fail.Storage, "no permission")
		}, false},
		{"the disk is full at the beginning", func(string) (*ledger.Ledger, error) {
			return nil, fail.New(fail.Storage, "open: %w", ledger.ErrFull).WithHint("free space")
		}, true},
		{"it is closed under way", func(dir string) (*ledger.Ledger, error) {
			l, err := ledger.Open(dir)
			if err != nil {
				return nil, err
			}
			return l, l.Close()
		}, true},
	} {
		l, w := keeper("")
		dir := filepath.Join(t.TempDir(), "hone")
		l.Ledger = func() (*ledger.Ledger, error) { return c.open(dir) }
		out, err := l.Run(t.Context(), t.Context(), short(target, load.ClosedLoop(50*time.Millisecond)))
		if out == nil || out.Run != "" {
			t.Fatalf("%s: %+v, %v", c.name, out, err)
		}
		// A busy machine may make the test invalid besides.
		if lost := err != nil && strings.Contains(err.Error(), "not kept in the ledger"); lost != c.lost ||
			len(w.texts) != 1 {
			t.Errorf("%s: %v, %q", c.name, err, w.texts)
		}
	}
}

package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
)

// A comparison of two variants is recorded, closed, and read again by a reader that
// finds every byte.
func TestComparisonIsReadBackWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".hone")
	l := mustOpen(t, dir)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("mode of the ledger: %v %v", info.Mode(), err)
	}
	cd, err := l.BeginComparison(Comparison{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, variant := range []string{"A", "B"} {
		c := contentOf(variant)
		c.run.Comparison, c.run.Variant = cd.ID(), variant
		d, err := l.BeginRun(c.run)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID())
		if err := d.AddSlices(c.slices); err != nil {
			t.Fatal(err)
		}
		if _, err := d.AddArtefact("cpu", "p", bytes.NewReader(c.files[0])); err != nil {
			t.Fatal(err)
		}
		if err := d.Finish(Complete, "", json.RawMessage(`{"schema":1,"final":true}`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := cd.Finish(Comparison{Status: Complete, Word: "faster", Sentence: "B is faster than A",
		Doc: json.RawMessage(`{"schema":1}`)}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	r := mustRead(t, dir)
	c, err := r.Comparison(cd.ID()[:4])
	if err != nil {
		t.Fatal(err)
	}
	if c.Status != Complete || c.Word != "faster" || c.Sentence != "B is faster than A" ||
		!reflect.DeepEqual(c.Runs, ids) {
		t.Errorf("comparison %+v, want faster with runs %v", c, ids)
	}
	if c.Finished.Before(c.Started) || c.Started.IsZero() {
		t.Errorf("started %v, finished %v", c.Started, c.Finished)
	}
	for i, variant := range []string{"A", "B"} {
		want := contentOf(variant)
		got, err := r.Run(ids[i])
		if err != nil {
			t.Fatal(err)
		}
		want.run.ID, want.run.Comparison, want.run.Variant, want.run.Status = ids[i], cd.ID(), variant, Complete
		want.run.Started, want.run.Finished, want.run.Doc = got.Started, got.Finished,
			json.RawMessage(`{"schema":1,"final":true}`)
		if !reflect.DeepEqual(got, want.run) {
			t.Errorf("run %+v\nwant %+v", got, want.run)
		}
		s, err := r.Slices(ids[i])
		if err != nil || len(s) != len(want.slices) {
			t.Fatalf("%d slices, want %d: %v", len(s), len(want.slices), err)
		}
		for k := range s {
			if !reflect.DeepEqual(s[k], want.slices[k]) {
				t.Errorf("slice %+v\nwant %+v", s[k], want.slices[k])
			}
		}
		a, err := r.Artefacts(ids[i])
		if err != nil || len(a) != 1 {
			t.Fatalf("artefacts %v, %v", a, err)
		}
		data, err := r.ReadArtefact(a[0])
		if err != nil || !bytes.Equal(data, want.files[0]) {
			t.Errorf("artefact of %d bytes, want %d: %v", len(data), len(want.files[0]), err)
		}
	}
	report, err := r.Verify(t.Context())
	if err != nil || report.Err() != nil || len(report.Orphans) != 0 || report.Artefacts != 2 ||
		report.Comparisons != 1 {
		t.Errorf("verify: %+v, %v", report, err)
	}
}

// Lists are the newest first, and filters narrow them.
func TestRunsAreFiltered(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	var ids []string
	for _, label := range []string{"one", "two", "three"} {
		ids = append(ids, mustStore(t, l, label))
	}
	d, err := l.BeginRun(Run{Label: "two"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(Invalid, "the generator was saturated", nil); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, d.ID())
	first, err := l.Run(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    RunFilter
		want []string
	}{
		{"all", RunFilter{}, []string{ids[3], ids[2], ids[1], ids[0]}},
		{"newest", RunFilter{Limit: 1}, []string{ids[3]}},
		{"label", RunFilter{Label: "two"}, []string{ids[3], ids[1]}},
		{"label and state", RunFilter{Label: "two", Status: []Status{Complete, Partial}}, []string{ids[1]}},
		{"package", RunFilter{Package: "example.com/three"}, []string{ids[2]}},
		{"until the first began", RunFilter{Until: first.Started}, nil},
		{"since the first began", RunFilter{Since: first.Started, Commit: "cone"}, []string{ids[0]}},
		{"no pattern", RunFilter{Label: "t*"}, nil},
	} {
		runs, err := l.Runs(c.f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range runs {
			got = append(got, r.ID)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	runs, err := l.Runs(RunFilter{NoDoc: true})
	if err != nil || runs[0].Doc != nil || runs[1].Doc != nil {
		t.Errorf("NoDoc: %+v, %v", runs, err)
	}
}

// What a draft must not do is refused, and leaves nothing behind.
func TestDraftRefuses(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	if _, err := l.BeginRun(Run{Doc: json.RawMessage("{")}); err == nil {
		t.Error("a document that is no JSON was stored")
	}
	if _, err := l.BeginRun(Run{Comparison: "00000000"}); err == nil {
		t.Error("a run of an unknown comparison began")
	}
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddSlices([]packed.Slice{{}, {Place: packed.Place{Index: 1}}, {Place: packed.Place{Index: 1}}}); err == nil {
		t.Error("two slices of one index were stored")
	}
	if s, err := l.Slices(d.ID()); err != nil || len(s) != 0 {
		t.Errorf("half a batch is there: %d slices, %v", len(s), err)
	}
	for range 2 {
		_, err = d.AddArtefact("heap", "same", strings.NewReader("x"))
	}
	if err == nil {
		t.Error("two artefacts of one name were stored")
	}
	broken := errors.New("broken pipe")
	if _, err := d.AddArtefact("heap", "broken", &brokenReader{broken}); !errors.Is(err, broken) {
		t.Errorf("a broken reader gave %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(l.Dir(), "tmp")); err != nil || len(left) != 0 {
		t.Errorf("left in tmp: %v %v", left, err)
	}
	for _, s := range []Status{Running, Crashed, "fine"} {
		if err := d.Finish(s, "", nil); err == nil {
			t.Errorf("finished as %q", s)
		}
	}
	if err := d.Finish(Complete, "", nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(Invalid, "", nil); err == nil {
		t.Error("finished twice")
	}
	r := mustRead(t, l.Dir())
	if _, err := r.BeginRun(Run{}); !errors.Is(err, errReadOnly) {
		t.Errorf("a reader began a run: %v", err)
	}
}

type brokenReader struct{ err error }

func (b *brokenReader) Read(p []byte) (int, error) { return 0, b.err }

// A step of the wall clock makes no negative duration, and does not disturb the
// order of the list.
func TestWallClockSteps(t *testing.T) {
	now := time.Now()
	l, err := OpenWith(t.TempDir(), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	early, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Round(0).Add(-time.Hour) // Round drops the monotonic reading
	if err := early.Finish(Complete, "", nil); err != nil {
		t.Fatal(err)
	}
	late, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := l.Runs(RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if runs[0].ID != late.ID() || runs[1].Finished.Before(runs[1].Started) {
		t.Errorf("%+v", runs)
	}
}

// A draft that its owner forgot is interrupted by Close, not lost.
func TestCloseEndsForgottenDrafts(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := mustRead(t, dir).Run(d.ID())
	if err != nil || r.Status != Interrupted || r.Reason == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A closed ledger answers with errors, and can be closed again.
func TestClosedLedger(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	if err := d.AddSlices([]packed.Slice{{}}); err == nil {
		t.Error("slices were stored")
	}
	if _, err := l.Runs(RunFilter{}); err == nil {
		t.Error("runs were listed")
	}
}

// Scripts read these names: changing one needs a new version of the output's schema.
func TestJSONNames(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	for want, v := range map[string]any{
		`{"id":"i","status":"running","started":"2026-01-02T03:04:05.000000006Z"}`: Run{ID: "i", Status: Running,
			Started: at},
		`{"id":"i","comparison":"c","variant":"A","status":"partial","reason":"r","started":"2026-01-02T03:04:05.000000006Z",` +
			`"finished":"2026-01-02T03:04:05.000000006Z","label":"l","package":"p","commit":"k","build_id":"b","target":"t","doc":{"schema":1}}`: Run{
			ID: "i", Comparison: "c", Variant: "A", Status: Partial, Reason: "r", Started: at, Finished: at,
			Label: "l", Package: "p", Commit: "k", BuildID: "b", Target: "t", Doc: json.RawMessage(`{"schema":1}`)},
		`{"id":"i","status":"complete","started":"2026-01-02T03:04:05.000000006Z","runs":["a"],"word":"same","sentence":"s"}`: Comparison{
			ID: "i", Status: Complete, Started: at, Runs: []string{"a"}, Word: "same", Sentence: "s"},
		`{"run":"i","kind":"cpu","name":"n","sha256":"s","size":3}`: Artefact{Run: "i", Kind: "cpu", Name: "n",
			SHA256: "s", Size: 3},
	} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%s\nwant %s: %v", got, want, err)
		}
	}
}

// Where there is no ledger a reader says so, and makes none.
func TestReaderWithoutLedger(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".hone")
	_, err := OpenReader(dir)
	wantFail(t, err, fail.BadInput, dir)
	if !errors.Is(err, ErrNoLedger) {
		t.Errorf("not ErrNoLedger: %v", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory is there: %v", err)
	}
}

// A directory may have any name.
func TestOddDirectoryNames(t *testing.T) {
	for _, name := range []string{"a?mode=memory", "100%41", "with space#and;more", "ünï"} {
		dir := filepath.Join(t.TempDir(), name)
		l := mustOpen(t, dir)
		id := mustStore(t, l, "odd")
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, recordsName)); err != nil {
			t.Error(err)
		}
		if _, err := mustRead(t, dir).Run(id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 999: "999 B", 1000: "1 kB", 1536: "1.5 kB", 64 << 20: "67.1 MB", 999_499: "999.5 kB",
		1_000_000: "1 MB", 1 << 63: "9.2 EB",
	} {
		if got := bytesText(n); got != want {
			t.Errorf("bytesText(%d) = %q, want %q", n, got, want)
		}
	}
}

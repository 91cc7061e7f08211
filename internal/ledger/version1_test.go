package ledger

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gohone/hone/internal/machine"
)

// testdata/version1 is a ledger that the last hone of schema 1 wrote, with real runs
// of a small HTTP service: two by themselves (one an open loop), a comparison, one
// that was killed, one of a later commit. dump.json is what that hone read from it.
type versionOneDump struct {
	Runs []struct {
		Run       Run
		Slices    []Slice
		Artefacts []Artefact
	}
	Comparisons []Comparison
}

// versionOne makes a copy of it in dir.
func versionOne(t *testing.T, dir string) {
	t.Helper()
	data, err := os.ReadFile("testdata/version1/ledger.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(databasePath(dir), data, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// versionOneDoc is what schema 1 knows in its documents only.
type versionOneDoc struct {
	Target      string
	Args        []string
	Plan        struct{ Connections, Depth int }
	RateHz      float64 `json:"rate_hz"`
	Environment machine.Description
	Binary      struct{ Dirty bool }
	CPU         *struct{ Value, Low, High float64 } `json:"cpu_ns_per_request"`
	Rate        float64                             `json:"requests_per_second"`
	Latency     map[string]float64
	PerRequest  map[string]float64 `json:"per_request"`
	RSS         float64            `json:"peak_rss_bytes"`
}

// measures are those that the migration has to find.
func (d versionOneDoc) measures() map[string]float64 {
	all := map[string]float64{}
	for name, v := range map[string]float64{
		"rate": d.Rate, "p50": d.Latency["p50"], "p90": d.Latency["p90"], "p99": d.Latency["p99"], "p99.9": d.Latency["p99_9"],
		"allocs": d.PerRequest["allocs"], "bytes": d.PerRequest["alloc_bytes"], "reads": d.PerRequest["read_calls"],
		"writes": d.PerRequest["write_calls"], "rss": d.RSS,
	} {
		if v > 0 {
			all[name] = v
		}
	}
	if d.CPU != nil {
		all["cpu"] = d.CPU.Value
	}
	return all
}

// wantVersionOne checks that l holds all that the dump does, and that the new columns
// say what the documents do.
func wantVersionOne(t *testing.T, l *Ledger) {
	t.Helper()
	text, err := os.ReadFile("testdata/version1/dump.json")
	if err != nil {
		t.Fatal(err)
	}
	var was versionOneDump
	if err := json.Unmarshal(text, &was); err != nil || len(was.Runs) != 6 || len(was.Comparisons) != 1 {
		t.Fatalf("dump of %d runs: %v", len(was.Runs), err)
	}
	runs, err := l.Runs(RunFilter{})
	if err != nil || len(runs) < len(was.Runs) {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	runs = runs[len(runs)-len(was.Runs):]
	for i, old := range was.Runs {
		s, err := l.Slices(old.Run.ID)
		if err != nil || !reflect.DeepEqual(s, old.Slices) {
			t.Errorf("run %s: slices differ: %v", old.Run.ID, err)
		}
		wantFromDoc(t, l, runs[i])
		got := runs[i]
		got.Plan, got.Machine, got.Dirty = "", "", false
		if string(got.Doc) != string(old.Run.Doc) {
			t.Errorf("run %s: another document", got.ID)
		}
		got.Doc, old.Run.Doc = nil, nil
		if !reflect.DeepEqual(got, old.Run) {
			t.Errorf("run %+v\nwas %+v", got, old.Run)
		}
	}
	c, err := l.Comparisons(0)
	if err != nil || !reflect.DeepEqual(c, was.Comparisons) {
		t.Errorf("comparisons %+v\nwere %+v: %v", c, was.Comparisons, err)
	}
	report, err := l.Verify(t.Context())
	if err != nil || report.Err() != nil {
		t.Errorf("verify: %v, %v", err, report.Err())
	}
}

func wantFromDoc(t *testing.T, l *Ledger, r Run) {
	t.Helper()
	m, err := l.Measures(r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status == Crashed {
		if r.Plan != "" || r.Machine != "" || len(m) != 0 {
			t.Errorf("a crashed run has %q, %q, %v", r.Plan, r.Machine, m)
		}
		return
	}
	var doc versionOneDoc
	if err := json.Unmarshal(r.Doc, &doc); err != nil {
		t.Fatal(err)
	}
	plan := PlanKey{Target: doc.Target, Args: doc.Args, Connections: doc.Plan.Connections, Depth: doc.Plan.Depth, RateHz: doc.RateHz}.Key()
	if machine := MachineKey(doc.Environment); r.Plan != plan || r.Machine != machine {
		t.Errorf("run %s: plan %q on %q, want %q on %q", r.ID, r.Plan, r.Machine, plan, machine)
	}
	if r.Dirty != doc.Binary.Dirty {
		t.Errorf("run %s: dirty %v, want %v", r.ID, r.Dirty, doc.Binary.Dirty)
	}
	got := map[string]float64{}
	for _, one := range m {
		got[one.Name] = one.Value
		if one.Name == "cpu" && (one.Low == nil || *one.Low != doc.CPU.Low || *one.High != doc.CPU.High || one.Unit != "ns") {
			t.Errorf("run %s: cpu %+v, want %+v", r.ID, one, doc.CPU)
		}
	}
	if want := doc.measures(); !reflect.DeepEqual(got, want) || len(want) < 10 {
		t.Errorf("run %s: measures %v, want %v", r.ID, got, want)
	}
}

// A ledger of schema 1 is migrated by the next writer, and goes on.
func TestVersionOneIsMigrated(t *testing.T) {
	dir := t.TempDir()
	versionOne(t, dir)
	l := mustOpen(t, dir)
	wantVersionOne(t, l)
	id := mustStore(t, l, "new")
	was := dump(t, l, id)
	if _, err := l.SetBaseline("", "87e3b9c3", ""); err != nil {
		t.Error(err)
	}
	l.Close()
	r := mustRead(t, dir)
	wantVersionOne(t, r)
	if dump(t, r, id) != was {
		t.Error("the new run differs")
	}
}

// Until then a reader sees it as if it had been, and changes nothing of it.
func TestVersionOneIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".hone")
	versionOne(t, dir)
	was := bytesOf(t, dir)[databasePath(dir)]
	r := mustRead(t, dir)
	wantVersionOne(t, r)
	points, err := r.Points("cpu", RunFilter{Package: "shop", Status: []Status{Complete}})
	if err != nil || len(points) != 5 || points[0].Measure == nil {
		t.Errorf("%d points: %v", len(points), err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if bytesOf(t, dir)[databasePath(dir)] != was {
		t.Error("the database has changed")
	}
}

// A writer that is killed in the middle of the migration leaves version 1 or version
// 2, never something between: the copy stands for the log that a kill leaves.
func TestMigrationIsOneTransaction(t *testing.T) {
	dir := t.TempDir()
	versionOne(t, dir)
	files := currentSchema().files
	text, err := fs.ReadFile(files, "00002_history.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := openWriter(databasePath(dir))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	torn := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(databasePath(torn)+suffix, databasePath(dir)+suffix); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, torn} {
		wantVersionOne(t, mustOpen(t, d))
	}
}

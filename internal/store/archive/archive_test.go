package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

var testOptions = Options{Hone: "v1", Host: "lab"}

// testLedger makes a ledger with a comparison of two runs, and a run by itself.
func testLedger(t testing.TB) (l *ledger.Ledger, comparison, alone ledger.Ref) {
	t.Helper()
	l = openLedger(t)
	c, err := l.BeginComparison(ledger.Comparison{})
	must(t, err)
	for _, variant := range []string{"A", "B"} {
		testRun(t, l, ledger.Run{Comparison: c.ID(), Variant: variant, Label: "side " + variant})
	}
	must(t, c.Finish(ledger.Comparison{Status: ledger.Complete, Word: "faster", Sentence: "B is faster",
		Doc: json.RawMessage(`{"schema":"c"}`)}))
	id := testRun(t, l, ledger.Run{Label: "alone", Commit: "abc", Dirty: true, Machine: "a machine"})
	return l, ledger.Ref{Kind: ledger.KindComparison, ID: c.ID()}, ledger.Ref{Kind: ledger.KindRun, ID: id}
}

func testRun(t testing.TB, l *ledger.Ledger, run ledger.Run) (id string) {
	t.Helper()
	d, err := l.BeginRun(run)
	must(t, err)
	must(t, d.AddSlices([]packed.Slice{
		{Slice: load.Slice{Counts: load.Counts{Answered: 5}},
			Latencies: packed.Latencies{Service: packed.Histogram(run.Label)}},
		{Place: packed.Place{Index: 1}, Used: packed.Used{CPU: time.Second}}}))
	must(t, d.AddMeasures([]ledger.MeasureValue{{Name: "cpu", Unit: "ns", Value: 1.5}}))
	for name, text := range map[string]string{"own": run.Label, "common": "the same in all runs"} {
		_, err := d.AddArtefact("stderr", name, strings.NewReader(text))
		must(t, err)
	}
	must(t, d.Finish(ledger.Complete, "", json.RawMessage(`{"schema": "r",  "label": "`+run.Label+` <&>"}`)))
	return d.ID()
}

func openLedger(t testing.TB) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(filepath.Join(t.TempDir(), "ledger"))
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func archiveOf(t testing.TB, l *ledger.Ledger, wanted ...ledger.Ref) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := Write(&b, l, wanted, testOptions)
	must(t, err)
	return b.Bytes()
}

func read(t testing.TB, data []byte, limits Limits) (*Archive, error) {
	t.Helper()
	return Read(bytes.NewReader(data), t.TempDir(), limits)
}

func importInto(t testing.TB, l *ledger.Ledger, data []byte) ledger.Imported {
	t.Helper()
	a, err := read(t, data, DefaultLimits)
	must(t, err)
	done, err := l.Import(a.Records, a.Blob)
	must(t, err)
	return done
}

// contentOf is all that a ledger knows of a run or comparison, with its bytes, but for its
// place and origin.
func contentOf(t *testing.T, l *ledger.Ledger, ref ledger.Ref) string {
	t.Helper()
	r, err := l.Record(ref)
	must(t, err)
	text, err := json.Marshal(r.At(1, nil))
	must(t, err)
	for _, a := range r.Artefacts {
		data, err := l.ReadArtefact(a)
		must(t, err)
		text = fmt.Appendf(text, "\n%v: %s", a, data)
	}
	if r.Run != nil {
		all, err := l.Slices(ref.ID)
		must(t, err)
		text = fmt.Appendf(text, "\n%+v", all)
	}
	return string(text)
}

// What is exported and imported is the same to the byte, and so is a second archive, made
// where the first was imported.
func TestRoundTrip(t *testing.T) {
	from, comparison, alone := testLedger(t)
	data := archiveOf(t, from, alone, comparison)
	to := openLedger(t)
	testRun(t, to, ledger.Run{Label: "was here before"})
	done := importInto(t, to, data)
	if len(done.Added) != 4 || len(done.Kept) != 0 {
		t.Fatalf("imported %+v", done)
	}
	for _, ref := range done.Added {
		if got, want := contentOf(t, to, ref), contentOf(t, from, ref); got != want {
			t.Errorf("%s %s is\n%s\nwant\n%s", ref.Kind, ref.ID, got, want)
		}
	}
	if again := archiveOf(t, to, comparison, alone, alone); !bytes.Equal(again, data) {
		t.Errorf("the second archive has %d bytes, the first %d, and they differ", len(again), len(data))
	}
	if done := importInto(t, to, data); len(done.Added) != 0 || len(done.Kept) != 4 {
		t.Errorf("imported again: %+v", done)
	}
	report, err := to.Verify(t.Context())
	must(t, err)
	must(t, report.Err())
	if len(report.Orphans) > 0 {
		t.Errorf("files that no run names %v", report.Orphans)
	}
}

// An imported run says where and when, and its machine stays its origin on the next way.
func TestOrigin(t *testing.T) {
	from, comparison, alone := testLedger(t)
	to := openLedger(t)
	before := time.Now()
	importInto(t, to, archiveOf(t, from, comparison))
	var b bytes.Buffer
	_, err := Write(&b, to, []ledger.Ref{comparison}, Options{Hone: "v1", Host: "another"})
	must(t, err)
	third := openLedger(t)
	importInto(t, third, b.Bytes())
	for _, l := range []*ledger.Ledger{to, third} {
		runs, err := l.Runs(ledger.RunFilter{})
		must(t, err)
		if len(runs) != 2 {
			t.Fatalf("%d runs, want the two of the comparison and not %s", len(runs), alone.ID)
		}
		for _, r := range runs {
			if r.Origin == nil || r.Origin.Host != "lab" || r.Origin.Imported.Before(before.Truncate(0)) {
				t.Errorf("run %s has origin %+v", r.ID, r.Origin)
			}
		}
	}
}

// A side of a comparison brings the comparison and the other side.
func TestASideBringsItsComparison(t *testing.T) {
	from, comparison, _ := testLedger(t)
	c, err := from.Comparison(comparison.ID)
	must(t, err)
	side := archiveOf(t, from, ledger.Ref{Kind: ledger.KindRun, ID: c.Runs[1]})
	if !bytes.Equal(side, archiveOf(t, from, comparison)) {
		t.Error("the archive of a side is not that of the comparison")
	}
}

// A run that goes on is not exported: it has no end yet.
func TestRunningIsNotExported(t *testing.T) {
	l := openLedger(t)
	d, err := l.BeginRun(ledger.Run{})
	must(t, err)
	_, err = Write(&bytes.Buffer{}, l, []ledger.Ref{{Kind: ledger.KindRun, ID: d.ID()}}, testOptions)
	if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), "still running") {
		t.Errorf("error %v", err)
	}
}

// A blob that is damaged in the ledger ends the export.
func TestDamagedBlobIsNotExported(t *testing.T) {
	l, _, alone := testLedger(t)
	all, err := l.Artefacts(alone.ID)
	must(t, err)
	path, err := l.ArtefactPath(all[0])
	must(t, err)
	must(t, os.WriteFile(path, bytes.Repeat([]byte("x"), int(all[0].Size)), 0o600))
	_, err = Write(&bytes.Buffer{}, l, []ledger.Ref{alone}, testOptions)
	if fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("error %v", err)
	}
}

// Another run under the same name is refused, and nothing of the archive is taken.
func TestTakenNameIsRefused(t *testing.T) {
	from, comparison, alone := testLedger(t)
	a, err := read(t, archiveOf(t, from, comparison, alone), DefaultLimits)
	must(t, err)
	for _, r := range a.Records {
		if r.Ref() == alone {
			r.Run.Label = "another"
		}
	}
	to := openLedger(t)
	importInto(t, to, archiveOf(t, from, alone))
	_, err = to.Import(a.Records, a.Blob)
	if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
		t.Errorf("error %v", err)
	}
	runs, err := to.Runs(ledger.RunFilter{})
	must(t, err)
	if len(runs) != 1 || runs[0].Label != "alone" {
		t.Errorf("runs %+v", runs)
	}
}

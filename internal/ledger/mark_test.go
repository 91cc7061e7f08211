package ledger

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// markOfTest stands for the mark of a key: who has the content can say whether it is of it.
func markOfTest(content []byte) string { return "mark of " + sumOf(content) }

// markedIn has a comparison with two runs in a ledger that marks.
func markedIn(t *testing.T, dir string) (l *Ledger, all []Ref) {
	t.Helper()
	l, err := OpenWith(dir, Options{Mark: markOfTest})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	storeSmall(t, l, 1)
	runs, err := l.Runs(RunFilter{NoDoc: true})
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	return l, []Ref{{KindRun, runs[0].ID}, {KindRun, runs[1].ID}, {KindComparison, runs[0].Comparison}}
}

// marked says whether a record bears the mark of its own content.
func marked(t *testing.T, l *Ledger, ref Ref) bool {
	t.Helper()
	r, err := l.Record(ref)
	if err != nil {
		t.Fatal(err)
	}
	content, err := r.Content()
	if err != nil {
		t.Fatal(err)
	}
	return r.Mark == markOfTest(content)
}

func TestWhatIsMeasuredIsMarked(t *testing.T) {
	l, all := markedIn(t, filepath.Join(t.TempDir(), "ledger"))
	for _, ref := range all {
		if !marked(t, l, ref) {
			t.Errorf("%v has no mark", ref)
		}
	}
	if found, err := l.Verify(context.Background()); err != nil || len(found.Faults) > 0 {
		t.Errorf("verify: %v, %v", found.Faults, err)
	}
	// One that hone did not come to end belongs to no one: any dead process could have begun it.
	d, err := l.BeginRun(Run{Label: "never ended"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.db.Exec("UPDATE runs SET pid = 999999999, born = 'x' WHERE id = ?", d.ID()); err != nil {
		t.Fatal(err)
	}
	delete(l.drafts, d.ID())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := OpenWith(l.Dir(), Options{Mark: markOfTest})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if r, err := again.Record(Ref{KindRun, d.ID()}); err != nil || r.Status() != Crashed || r.Mark != "" {
		t.Errorf("the run of a dead process: %+v, %v", r, err)
	}
	if !marked(t, again, all[0]) {
		t.Error("the mark did not outlive the ledger's end")
	}
}

// A mark holds for all of a record: whatever of its rows is changed, it is not that record's mark any more.
func TestAMarkIsOfTheWholeRecord(t *testing.T) {
	l, all := markedIn(t, filepath.Join(t.TempDir(), "ledger"))
	run, comparison := all[0].ID, all[2].ID
	for _, change := range []string{
		`UPDATE runs SET doc = replace(doc, 'ä', 'a') WHERE id = ?1`,
		`UPDATE runs SET doc = doc || ' ' WHERE id = ?1`,
		`UPDATE runs SET label = 'other' WHERE id = ?1`,
		`UPDATE runs SET package = 'other' WHERE id = ?1`,
		`UPDATE runs SET target = 'http://other' WHERE id = ?1`,
		`UPDATE runs SET commit_id = 'other' WHERE id = ?1`,
		`UPDATE runs SET dirty = NOT dirty WHERE id = ?1`,
		`UPDATE runs SET build_id = 'other' WHERE id = ?1`,
		`UPDATE runs SET plan = 'other' WHERE id = ?1`,
		`UPDATE runs SET machine = 'other' WHERE id = ?1`,
		`UPDATE runs SET started = started - 1 WHERE id = ?1`,
		`UPDATE runs SET finished = finished + 1 WHERE id = ?1`,
		`UPDATE runs SET status = 'partial' WHERE id = ?1`,
		`UPDATE runs SET reason = 'other' WHERE id = ?1`,
		`UPDATE runs SET comparison = NULL WHERE id = ?1`,
		`UPDATE runs SET variant = 'C' WHERE id = ?1`,
		`UPDATE runs SET mark = (SELECT mark FROM runs WHERE id <> ?1) WHERE id = ?1`, // that of another run
		`UPDATE runs SET mark = upper(mark) WHERE id = ?1`,
		`UPDATE runs SET mark = '' WHERE id = ?1`,
		`UPDATE slices SET sent = sent + 1 WHERE run = ?1`,
		`DELETE FROM slices WHERE run = ?1 AND idx = 1`,
		`UPDATE measures SET value = 2 WHERE run = ?1`,
		`DELETE FROM measures WHERE run = ?1`,
		`UPDATE artefacts SET sha256 = replace(sha256, substr(sha256, 1, 1), 'e') WHERE run = ?1`,
		`UPDATE artefacts SET kind = 'cpu' WHERE run = ?1`,
		`DELETE FROM artefacts WHERE run = ?1`,
		`UPDATE comparisons SET doc = '{}' WHERE id = ?1`,
		`UPDATE comparisons SET sentence = 'other' WHERE id = ?1`,
	} {
		ref := Ref{KindRun, run}
		if strings.HasPrefix(change, "UPDATE comparisons") {
			ref = Ref{KindComparison, comparison}
		}
		if !marked(t, l, ref) {
			t.Fatalf("before %q: not marked", change)
		}
		if _, err := l.db.Exec("SAVEPOINT change"); err != nil { // the writer has one connection
			t.Fatal(err)
		}
		done, err := l.db.Exec(change, ref.ID)
		if err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		if n, _ := done.RowsAffected(); n == 0 {
			t.Errorf("%s: nothing changed", change)
		}
		if marked(t, l, ref) {
			t.Errorf("%s: still marked", change)
		}
		if _, err := l.db.Exec("ROLLBACK TO change; RELEASE change"); err != nil {
			t.Fatal(err)
		}
	}
}

// A mark does not travel, and what arrives gets none: not that which a record brings along either.
func TestWhatIsImportedIsNotMarked(t *testing.T) {
	from, all := markedIn(t, filepath.Join(t.TempDir(), "from"))
	records, blob := exported(t, from)
	for _, r := range records {
		if r.Mark != "" {
			t.Errorf("the mark of %v leaves the ledger", r.Ref())
		}
		content, err := r.Content()
		if err != nil {
			t.Fatal(err)
		}
		r.Mark = markOfTest(content) // as a store or an archive may say
	}
	to, err := OpenWith(filepath.Join(t.TempDir(), "to"), Options{Mark: markOfTest})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if _, err := to.Import(records, blob); err != nil {
		t.Fatal(err)
	}
	for _, ref := range all {
		if r, err := to.Record(ref); err != nil || r.Mark != "" || r.Origin() == nil {
			t.Errorf("%v: mark %q, origin %v, %v", ref, r.Mark, r.Origin(), err)
		}
	}
}

// Marks come back with what they are of, when a damaged ledger is made anew from its records.
func TestMarksAreSalvaged(t *testing.T) {
	l, all := markedIn(t, filepath.Join(t.TempDir(), "ledger"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(l.Dir(), "ledger.db"), 5000); err != nil {
		t.Fatal(err)
	}
	if _, err := Salvage(context.Background(), l.Dir(), time.Second); err != nil {
		t.Fatal(err)
	}
	again := mustRead(t, l.Dir())
	for _, ref := range all {
		if !marked(t, again, ref) {
			t.Errorf("%v lost its mark", ref)
		}
	}
}

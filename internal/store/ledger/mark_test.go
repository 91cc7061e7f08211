package ledger

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
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
	orphan(t, l, d)
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

// A mark holds for all of a record: whatever of it is changed, it is not that record's mark any more.
func TestAMarkIsOfTheWholeRecord(t *testing.T) {
	l, all := markedIn(t, filepath.Join(t.TempDir(), "ledger"))
	other, err := l.Record(all[1])
	if err != nil {
		t.Fatal(err)
	}
	for i, change := range []func(r *Record){
		func(r *Record) { r.Doc = strings.Replace(r.Doc, "ä", "a", 1) },
		func(r *Record) { r.Doc += " " },
		func(r *Record) { r.Run.Label = "other" },
		func(r *Record) { r.Run.Package = "other" },
		func(r *Record) { r.Run.Target = "http://other" },
		func(r *Record) { r.Run.Commit = "other" },
		func(r *Record) { r.Run.Dirty = !r.Run.Dirty },
		func(r *Record) { r.Run.BuildID = "other" },
		func(r *Record) { r.Run.Plan = "other" },
		func(r *Record) { r.Run.Machine = "other" },
		func(r *Record) { r.Run.Started = r.Run.Started.Add(-1) },
		func(r *Record) { r.Run.Finished = r.Run.Finished.Add(1) },
		func(r *Record) { r.Run.Status = Partial },
		func(r *Record) { r.Run.Reason = "other" },
		func(r *Record) { r.Run.Comparison = "" },
		func(r *Record) { r.Run.Variant = "C" },
		func(r *Record) { r.Mark = other.Mark },
		func(r *Record) { r.Mark = strings.ToUpper(r.Mark) },
		func(r *Record) { r.Mark = "" },
		func(r *Record) { r.Slices.SHA256 = sumOf(nil) },
		func(r *Record) { r.Slices.Count-- },
		func(r *Record) { r.Slices = SliceFile{} },
		func(r *Record) { r.Measures[0].Value = 2 },
		func(r *Record) { r.Measures = nil },
		func(r *Record) { r.Artefacts[0].SHA256 = sumOf(nil) },
		func(r *Record) { r.Artefacts[0].Kind = "cpu" },
		func(r *Record) { r.Artefacts = nil },
		func(r *Record) { r.Doc = "{}" }, // from here on of the comparison
		func(r *Record) { r.Comparison.Sentence = "other" },
	} {
		ref := all[0]
		if i >= 27 {
			ref = all[2]
		}
		if !marked(t, l, ref) {
			t.Fatalf("before change %d: not marked", i)
		}
		was, err := l.Record(ref)
		if err != nil {
			t.Fatal(err)
		}
		changed := was.clone()
		change(changed)
		if reflect.DeepEqual(was, changed) {
			t.Errorf("change %d: nothing changed", i)
		}
		if err := l.store(changed); err != nil {
			t.Fatal(err)
		}
		if marked(t, l, ref) {
			t.Errorf("change %d: still marked", i)
		}
		if err := l.store(was); err != nil {
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

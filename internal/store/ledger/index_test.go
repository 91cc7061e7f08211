package ledger

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// The index can be deleted, damaged, old or of another ledger: lists are the same, and the next
// writer that has reason to writes it again.
func TestTheIndexCanBeDeleted(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	for i := range unindexed/3 + 1 {
		storeSmall(t, l, i)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, indexName)
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal("a writer with many records left no index: ", err)
	}
	l = mustOpen(t, dir)
	storeSmall(t, l, 99) // too few for a new index
	want := contentsOf(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	other := usedLedger(t)
	foreign := mustRead(t, other)
	damaged := append([]byte(nil), old...)
	damaged[len(damaged)/2] ^= 1
	running := someRecord()
	running.Run.Status = Running
	for name, data := range map[string][]byte{
		"old": old, "damaged": damaged, "cut off": old[:len(old)/2], "empty": {}, "gone": nil,
		"of another ledger": seal(indexSchema, encodeIndex(foreign.known.all(KindRun))),
		"of another schema": seal("hone.index/9", encodeIndex(nil)),
		"nonsense":          seal(indexSchema, encodeIndex([]*Record{running})),
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if data == nil {
			os.Remove(path)
		}
		r := mustRead(t, dir)
		if got := contentsOf(t, r); !maps.Equal(got, want) {
			t.Errorf("%s: a reader reads otherwise", name)
		}
		if err := mustOpen(t, dir).Close(); err != nil {
			t.Fatal(err)
		}
		if again := readIndex(r.home); name != "old" && len(again.records) != len(r.known.records) {
			t.Errorf("%s: the next writer's index has %d records, want %d", name, len(again.records),
				len(r.known.records))
		}
	}
}

// The index has every field of a record, but for its document.
func TestIndexHasAllFields(t *testing.T) {
	full := someRecord()
	fill(reflect.ValueOf(full).Elem(), 3)
	got, err := decodeIndex(encodeIndex([]*Record{full}))
	if err == nil || got != nil {
		t.Fatal("a run that is a comparison, too, was accepted")
	}
	for _, r := range []*Record{{Seq: 1, Run: full.Run, Measures: full.Measures, Artefacts: full.Artefacts,
		Slices: full.Slices, Mark: "m"}, {Comparison: full.Comparison}} {
		got, err := decodeIndex(encodeIndex([]*Record{r}))
		if err != nil || !reflect.DeepEqual(got[0], r) {
			t.Errorf("%+v is read as %+v, %v", r, got, err)
		}
	}
}

// fill gives every field of v some value.
func fill(v reflect.Value, n int64) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(someRecord().Run.Started))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n+int64(i))
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n+1)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n+1)
		fill(v.Index(1), n+2)
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text ", n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(-n)
	case v.CanFloat():
		v.SetFloat(float64(n) / 3)
	case v.CanUint():
		v.SetUint(uint64(n))
	}
}

// A ledger of an older or a newer hone is refused with both versions, and not a byte changes.
func TestOtherSchemaIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string) error
		words  []string
	}{
		"older": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "ledger.db"), []byte("SQLite"), 0o600)
		},
			[]string{"1 to 4", "ledger.db", recordSchema}},
		"newer": {func(dir string) error {
			names, err := filepath.Glob(filepath.Join(dir, recordsName, "*"+headSuffix))
			if err != nil {
				return err
			}
			return os.WriteFile(names[0], seal("hone.record/9", []byte(`{"more":1}`)), 0o600)
		}, []string{"hone.record/9", recordSchema}},
	} {
		for _, without := range []string{"", lockName} { // a copy of a ledger may lack the lock
			dir := usedLedger(t)
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			if without != "" {
				os.Remove(filepath.Join(dir, without))
			}
			before := bytesOf(t, dir)
			for _, open := range []func(string) (*Ledger, error){Open, OpenExisting, OpenReader} {
				_, err := open(dir)
				wantFail(t, err, fail.Storage, c.words...)
			}
			if _, err := Repair(t.Context(), dir, 0); err == nil {
				t.Errorf("%s: repaired", name)
			}
			wantUnchanged(t, dir, before)
		}
	}
}

package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/fail"
)

// faults is how many random faults the database gets. The seed of each is its number.
var faults = flag.Int("faults", randomFaults, "how many times the database is damaged")

// A ledger is damaged at random, again and again: bits flip, pages are lost or change
// places, files are cut. Each time a reader shows every run as it was stored; a writer
// either refuses, and has changed nothing, or the ledger is whole; and salvage brings
// back every run to the byte and keeps the damaged files.
func TestDamageLosesNoRun(t *testing.T) {
	n := *faults
	templates := damageTemplates(t)
	base := memoryDir(t)
	const workers = 4
	for worker := range workers {
		t.Run(fmt.Sprint("worker", worker), func(t *testing.T) {
			t.Parallel()
			for i := worker; i < n && !t.Failed(); i += workers {
				dir := filepath.Join(base, fmt.Sprint(i))
				rng := rand.New(rand.NewPCG(uint64(i), 1))
				template := templates[rng.IntN(len(templates))]
				files := maps.Clone(template.files)
				what := fmt.Sprintf("fault %d, ledger %s: %s", i, template.name, damageOne(files, rng))
				putFiles(t, dir, files)
				survive(t, what, dir, template, files, i%16 == 0)
				os.RemoveAll(dir)
			}
		})
	}
}

// memoryDir is a directory in memory where the system has one: what the test asks for does
// not depend on the disk, and syncing one takes longer than all the rest.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "hone-ledger-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// damageTemplate is a sound ledger to be damaged: its files, and what a reader reads from it.
type damageTemplate struct {
	name    string
	files   map[string]string // by their name in the directory
	content string
}

// damageTemplates are a ledger that was closed; one whose writer died, with some runs in
// the log only; and one whose writer died while it folded the log into the database.
func damageTemplates(t *testing.T) []damageTemplate {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ledger")
	l := mustOpen(t, dir)
	for i := range 6 {
		storeSmall(t, l, i)
	}
	content := contentText(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	all := []damageTemplate{{"closed", readFiles(t, dir), content}}
	l = mustOpen(t, dir)
	for i := range 4 {
		storeSmall(t, l, 6+i)
	}
	content = contentText(t, l)
	died := readFiles(t, dir)
	delete(died, lockName) // its text names a process that lives
	all = append(all, damageTemplate{"of a dead writer", died, content})
	unsummed := maps.Clone(died)
	delete(unsummed, sumName)
	return append(all, damageTemplate{"without a sum", unsummed, content})
}

// storeSmall stores a comparison of two small runs, one of them as a baseline.
func storeSmall(t *testing.T, l *Ledger, i int) {
	t.Helper()
	c, err := l.BeginComparison(Comparison{})
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"A", "B"} {
		run := contentOf(fmt.Sprint(variant, i)).run
		run.Comparison, run.Variant = c.ID(), variant
		d, err := l.BeginRun(run)
		if err != nil {
			t.Fatal(err)
		}
		value := float64(i)
		_, stored := d.AddArtefact("output", "o.txt", strings.NewReader(fmt.Sprint("output ", i)))
		if err := errors.Join(stored, d.AddSlices([]Slice{{Index: 0, Sent: uint64(i), Latency: []byte("latency")}, {Index: 1}}),
			d.AddMeasures([]MeasureValue{{Name: "cpu", Unit: "ns", Value: 1, Low: &value, High: &value}}),
			d.Finish(Complete, "", json.RawMessage(`{"schema": "x",   "text":"<ä>`+strings.Repeat("long ", 30*i)+`"}`))); err != nil {
			t.Fatal(err)
		}
		if _, err := l.SetBaseline(fmt.Sprint("name", i%3), d.ID(), "note"); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Finish(Comparison{Status: Complete, Word: "faster", Sentence: "B is faster."}); err != nil {
		t.Fatal(err)
	}
}

// contentText is everything that can be read from l, but for the bytes of artefacts.
func contentText(t *testing.T, l *Ledger) string {
	t.Helper()
	var b strings.Builder
	runs, err := l.Runs(RunFilter{NoDoc: true})
	if err != nil {
		t.Error(err)
	}
	comparisons, err := l.Comparisons(0)
	if err != nil {
		t.Error(err)
	}
	var refs []Ref
	for _, r := range runs {
		refs = append(refs, Ref{KindRun, r.ID})
	}
	for _, c := range comparisons {
		refs = append(refs, Ref{KindComparison, c.ID})
	}
	for _, ref := range refs {
		r, err := recordOf(l.db, ref)
		if err != nil {
			t.Error(err)
			continue
		}
		text, _, err := r.encode()
		if err != nil {
			t.Error(err)
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	baselines, err := l.Baselines()
	fmt.Fprintln(&b, baselines, err)
	return b.String()
}

// damageOne damages one file of the database, and says how.
func damageOne(files map[string]string, rng *rand.Rand) string {
	name := databaseName
	if wal := databaseName + "-wal"; files[wal] != "" && rng.IntN(2) == 0 {
		name = wal
	}
	data := []byte(files[name])
	const page = 4096
	pages := len(data) / page
	at := rng.IntN(pages) * page
	what := ""
	switch rng.IntN(7) {
	case 0, 1:
		bit := rng.IntN(8 * len(data))
		data[bit/8] ^= 1 << (bit % 8)
		what = fmt.Sprintf("bit %d flipped", bit)
	case 2:
		clear(data[at : at+page])
		what = fmt.Sprintf("page at %d is zero", at)
	case 3:
		for i := range data[at : at+page] {
			data[at+i] = byte(rng.Uint32())
		}
		what = fmt.Sprintf("page at %d is random", at)
	case 4:
		other := rng.IntN(pages) * page
		was := bytes.Clone(data[at : at+page])
		copy(data[at:], data[other:other+page])
		copy(data[other:], was)
		what = fmt.Sprintf("pages at %d and %d changed places", at, other)
	case 5:
		data = data[:at]
		what = fmt.Sprintf("cut at page %d", at)
	case 6:
		data = data[:rng.IntN(len(data))]
		what = fmt.Sprintf("cut to %d bytes", len(data))
	}
	files[name] = string(data)
	return name + ": " + what
}

func survive(t *testing.T, what, dir string, was damageTemplate, files map[string]string, verify bool) {
	t.Helper()
	r, err := OpenReader(dir)
	if err != nil {
		t.Errorf("%s: reader: %v", what, err)
		return
	}
	if got := contentText(t, r); got != was.content {
		t.Errorf("%s: a reader reads otherwise (damage: %v)", what, r.Damage())
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	l, err := Open(dir)
	if err != nil {
		if fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: writer: %v", what, err)
		}
		wantFiles(t, what, dir, files)
		got, err := Salvage(t.Context(), dir, 0)
		if err != nil || got.Damage == "" || len(got.Lost) > 0 {
			t.Errorf("%s: salvage: %+v, %v", what, got, err)
			return
		}
		for _, kept := range got.Kept {
			suffix := ""
			if strings.HasSuffix(kept, "-wal") {
				suffix = "-wal"
			}
			if data, err := os.ReadFile(kept); err != nil || string(data) != files[databaseName+suffix] {
				t.Errorf("%s: %s is not the damaged file: %v", what, kept, err)
			}
		}
		if l, err = Open(dir); err != nil {
			t.Errorf("%s: after salvage: %v", what, err)
			return
		}
	}
	defer l.Close()
	if got := contentText(t, l); got != was.content {
		t.Errorf("%s: the ledger holds something else", what)
	}
	if !verify {
		return
	}
	if report, err := l.Verify(t.Context()); err != nil || report.Err() != nil {
		t.Errorf("%s: verify: %v, %v", what, report.Err(), err)
	}
}

// wantFiles fails if a file that was there has changed.
func wantFiles(t *testing.T, what, dir string, files map[string]string) {
	t.Helper()
	now := readFiles(t, dir)
	for name, was := range files {
		if now[name] != was && !strings.HasSuffix(name, "-shm") { // the index of the log is made anew by each first reader
			t.Errorf("%s: %s has changed", what, name)
		}
	}
}

func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for path, text := range bytesOf(t, dir) {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !strings.HasSuffix(name, "-shm") && name != reserveName {
			all[name] = strings.TrimPrefix(text, info.Mode().String())
		}
	}
	return all
}

func putFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

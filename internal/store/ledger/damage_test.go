package ledger

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/load"
)

var (
	faults = flag.Int("faults", 100, "how many times a ledger is damaged at random")
	stride = flag.Int("stride", 5, "of how many bytes of a file one is damaged, after the first line")
)

// firstLine is what the line of a seal has, about.
const firstLine = 80

// A file of the ledger is damaged: bits in all parts of it (-stride 1: in each byte), and blocks at random. Each time a
// reader shows every other run as it was, and of the damaged one nothing that was not stored; verify names the file; a
// writer works; and repair keeps the damaged file, and leaves a ledger that verify calls sound.
func TestDamageCostsOnePart(t *testing.T) {
	was := damageTemplate(t)
	var all []func(files map[string]string) (name, what string)
	for _, name := range was.struck {
		every := 1
		for at := 0; at < len(was.files[name]); at += every {
			all = append(all, func(files map[string]string) (string, string) {
				data := []byte(files[name])
				data[at] ^= 1 << (at % 8)
				files[name] = string(data)
				return name, fmt.Sprintf("bit %d of byte %d", at%8, at)
			})
			if at > firstLine {
				every = *stride
			}
		}
	}
	for i := range *faults {
		all = append(all, func(files map[string]string) (string, string) {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			names := slices.Sorted(maps.Keys(files))
			name := names[rng.IntN(len(names))]
			data, what := damageBlock([]byte(files[name]), rng)
			files[name] = string(data)
			return name, fmt.Sprintf("fault %d: %s", i, what)
		})
	}
	const workers = 4
	base := t.TempDir()
	for worker := range workers {
		t.Run(fmt.Sprint("worker", worker), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(base, fmt.Sprint(worker))
			putFiles(t, dir, was.files)
			for i := worker; i < len(all) && !t.Failed(); i += workers {
				files := maps.Clone(was.files)
				name, what := all[i](files)
				putFiles(t, dir, map[string]string{name: files[name]})
				repair := i%64 < workers
				survive(t, name+": "+what, dir, name, was, files, repair)
				if repair {
					os.RemoveAll(dir)
					putFiles(t, dir, was.files)
				} else {
					putFiles(t, dir, map[string]string{name: was.files[name]})
				}
			}
		})
	}
}

// template is a sound ledger to be damaged.
type template struct {
	files   map[string]string // by their name in the directory
	struck  []string          // those of which each byte is damaged
	content map[string]string // what a reader reads of each run and comparison
}

// damageTemplate is a ledger with two comparisons, a run that crashed, and an index.
func damageTemplate(t *testing.T) template {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ledger")
	l := mustOpen(t, dir)
	for i := range 2 {
		storeSmall(t, l, i)
	}
	d, err := l.BeginRun(Run{Label: "crashed"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddSlices([]packed.Slice{{}, {Place: packed.Place{Index: 1}}}); err != nil {
		t.Fatal(err)
	}
	orphan(t, l, d)
	if err := errors.Join(writeIndex(l.home, l.known), l.Close()); err != nil {
		t.Fatal(err)
	}
	files := readFiles(t, dir)
	for _, name := range []string{lockName, ".gitignore"} {
		delete(files, name)
	}
	r := mustRead(t, dir)
	runs, err := r.Runs(RunFilter{NoDoc: true})
	if err != nil {
		t.Fatal(err)
	}
	w := template{files: files, content: contentsOf(t, r)}
	w.struck = []string{headName(runs[1].ID), slicesName(runs[1].ID), headName(runs[1].Comparison), headName(d.ID()),
		baselinesName, indexName}
	return w
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
		if err := errors.Join(stored, d.AddSlices([]packed.Slice{
			{Slice: load.Slice{Counts: load.Counts{Sent: uint64(i)}}, Latencies: packed.Latencies{Service: "latency"}},
			{Place: packed.Place{Index: 1}}}),
			d.AddMeasures([]MeasureValue{{Name: "cpu", Unit: "ns", Value: 1, Low: &value, High: &value}}),
			d.Finish(Complete, "", json.RawMessage(`{"schema": "x",   "text":"<ä>`+strings.Repeat("long ", 30*i)+
				`"}`))); err != nil {
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

// orphan makes a run look as if the process that began it were dead.
func orphan(t *testing.T, l *Ledger, d *Draft) {
	t.Helper()
	err := d.pending.change(func(r *Record) error {
		r.Writer = &process{PID: 999_999_999, Born: "never"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.pending.slices.close()
	l.forget(d.ID())
}

// contentsOf is everything that can be read of each run and comparison, by its parts: "1a2b3c4d record", "1a2b3c4d
// slices", "1a2b3c4d artefact".
func contentsOf(t *testing.T, l *Ledger) map[string]string {
	t.Helper()
	all := map[string]string{}
	keep := func(part string, v any, err error) {
		if err == nil {
			text, _ := json.Marshal(v)
			all[part] = string(text)
		}
	}
	for id, known := range l.known.records {
		r, err := l.Record(known.Ref())
		keep(id+" record", r, err)
		if known.Run == nil {
			c, err := l.Comparison(id)
			keep(id+" comparison", c, err)
			continue
		}
		run, err := l.Run(id)
		keep(id+" run", run, err)
		s, err := l.Slices(id)
		keep(id+" slices", s, err)
		m, err := l.Measures(id)
		keep(id+" measures", m, err)
		a, err := l.Artefacts(id)
		if err != nil {
			continue
		}
		for _, one := range a {
			data, err := l.ReadArtefact(one)
			keep(id+" artefact "+one.Name, data, err)
		}
	}
	b, err := l.Baselines()
	keep("baselines", b, err)
	return all
}

// damageBlock damages a block of a file, and says how.
func damageBlock(data []byte, rng *rand.Rand) ([]byte, string) {
	const block = 512
	at := 0
	if len(data) > block {
		at = rng.IntN(len(data)/block) * block
	}
	hurt := data[at:min(len(data), at+block)]
	switch rng.IntN(4) {
	case 0:
		clear(hurt)
		return data, fmt.Sprintf("%d bytes from %d on are zero", len(hurt), at)
	case 1:
		for i := range hurt {
			hurt[i] = byte(rng.Uint32())
		}
		return data, fmt.Sprintf("%d bytes from %d on are random", len(hurt), at)
	case 2:
		n := rng.IntN(len(data))
		return data[:n], fmt.Sprintf("cut to %d bytes", n)
	}
	return append(data, make([]byte, 1+rng.IntN(block))...), "zeros after its end"
}

func survive(t *testing.T, what, dir, name string, was template, files map[string]string, repair bool) {
	t.Helper()
	r, err := OpenReader(dir)
	if err != nil {
		t.Errorf("%s: reader: %v", what, err)
		return
	}
	defer r.Close()
	stem := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), headSuffix), slicesSuffix)
	wantContents(t, what, contentsOf(t, r), was.content, stem, name)
	report, err := r.Verify(t.Context())
	if err != nil {
		t.Errorf("%s: verify: %v", what, err)
	}
	// The slices of a crashed run end where they are torn, and nothing after their end is read; an index is made
	// again; the reserve holds nothing.
	longer := strings.HasSuffix(name, slicesSuffix) && strings.HasPrefix(files[name], was.files[name])
	if harmless := slices.Contains([]string{indexName, reserveName}, name) || longer ||
		crashedSlices(r, name); harmless != (len(report.Faults) == 0) {
		t.Errorf("%s: verify found %v", what, report.Err())
	}
	if !repair {
		return
	}
	done, err := Repair(t.Context(), dir, 0)
	if err != nil {
		t.Errorf("%s: repair: %v", what, err)
		return
	}
	if len(report.Faults) > 0 && !slices.ContainsFunc(done.Kept, func(path string) bool {
		data, err := os.ReadFile(path)
		return err == nil && string(data) == files[name]
	}) {
		t.Errorf("%s: repair kept %q, not the damaged file", what, done.Kept)
	}
	l, err := Open(dir)
	if err != nil {
		t.Errorf("%s: after repair: %v", what, err)
		return
	}
	defer l.Close()
	if report, err := l.Verify(t.Context()); err != nil || report.Err() != nil {
		t.Errorf("%s: verify after repair: %v, %v", what, report.Err(), err)
	}
	storeSmall(t, l, 1)
}

func crashedSlices(l *Ledger, name string) bool {
	id, ok := recordID(filepath.Base(name), slicesSuffix)
	r := l.known.records[id]
	return ok && r != nil && !r.ended()
}

// wantContents wants every part as it was, but for those of the damaged file, which may be missing.
func wantContents(t *testing.T, what string, is, was map[string]string, stem, name string) {
	t.Helper()
	for part, text := range was {
		got, there := is[part]
		mine := strings.HasPrefix(part, stem) || strings.Contains(part, "artefact") &&
			strings.HasPrefix(name, "blobs/") ||
			// a comparison lists the runs that are there
			strings.HasSuffix(name, headSuffix) && strings.Contains(text, stem)
		crashed := strings.HasSuffix(part, " slices") && strings.HasSuffix(name, slicesSuffix) ||
			strings.Contains(text, `"crashed"`)
		switch {
		case !there && !mine:
			t.Errorf("%s: %s is not there", what, part)
		case there && got != text && !(mine && (crashed || strings.Contains(part, "comparison") ||
			strings.Contains(text, `"comparison":{`))):
			t.Errorf("%s: %s is\n%s\nwas\n%s", what, part, got, text)
		}
	}
}

// readFiles are the regular files in dir by their names.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for path, text := range bytesOf(t, dir) {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && name != reserveName {
			all[name] = strings.TrimPrefix(text, info.Mode().String())
		}
	}
	return all
}

func putFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

package ledger

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
	"go.uber.org/goleak"
)

// TestMain lets the test binary play the other process of a story: see helper.
func TestMain(m *testing.M) {
	if role := os.Getenv("LEDGER_TEST_ROLE"); role != "" {
		if err := helper(role, os.Getenv("LEDGER_TEST_DIR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// What these tests ask for does not depend on the disk, and syncing one takes longer than all the rest.
	if dir, err := os.MkdirTemp("/dev/shm", "hone-ledger-test-"); err == nil {
		os.Setenv("TMPDIR", dir)
		goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
			os.RemoveAll(dir)
			os.Exit(code)
		}))
	}
	goleak.VerifyTestMain(m)
}

// content is everything a test stores for one run, drawn from its label.
type content struct {
	run      Run
	slices   []packed.Slice
	files    [][]byte
	measures []MeasureValue
}

func contentOf(label string) content {
	var seed [32]byte
	copy(seed[:], label)
	rng := rand.NewChaCha8(seed)
	r := rand.New(rng)
	c := content{run: Run{
		Label: label, Package: "example.com/" + label, Commit: "c" + label, BuildID: "b/" + label,
		Target: "127.0.0.1:80", Dirty: r.IntN(2) == 0, Plan: "plan of " + label, Machine: "a machine",
		Doc: json.RawMessage(`{"schema":1,"label":"` + label + `"}`),
	}}
	for i := range 2 + r.IntN(10) {
		latency := make([]byte, r.IntN(2000))
		rng.Read(latency)
		c.slices = append(c.slices, packed.Slice{
			Place: packed.Place{Index: i, Block: i / 4, Pair: i / 2, First: r.IntN(2) == 0, Build: i % 3},
			Slice: load.Slice{
				Offset: 5, Duration: 50_000_000, WorkerTime: load.WorkerTime{WorkerCPU: 14, WorkerWall: 15},
				Connections: load.Connections{Stalled: 16, Live: 17},
				Counts: load.Counts{Scheduled: r.Uint64N(1e9), Sent: r.Uint64N(1e9), Answered: 7, Failed: 1,
					Unanswered: 2},
			},
			Used:      packed.Used{CPU: 11, Reads: 12, Writes: 13},
			Latencies: packed.Latencies{Service: packed.Histogram(base64.StdEncoding.EncodeToString(latency))},
		})
		if share, held := r.Float64(), time.Duration(r.IntN(1e9)); i%3 > 0 { // some systems do not tell
			c.slices[i].Conditions = packed.Conditions{Steal: &share, Busy: &held, Others: &held, Load1: &share,
				Throttled:   &held,
				CPUPressure: &share, MemoryPressure: &share, MemoryStall: &share, IOPressure: &share}
		}
	}
	for i, name := range []string{"allocs", "cpu", "p99", "rate"}[:1+r.IntN(4)] {
		m := MeasureValue{Name: name, Unit: "ns", Value: r.Float64()}
		if low, high := m.Value-1, m.Value+1; i%2 == 0 {
			m.Low, m.High = &low, &high
		}
		c.measures = append(c.measures, m)
	}
	for range 1 + r.IntN(3) {
		file := make([]byte, r.IntN(30_000))
		rng.Read(file)
		c.files = append(c.files, file)
	}
	return c
}

// store records the content of label as a complete run. said hears of every step.
func store(l *Ledger, label string, said func(step, id string)) (id string, err error) {
	c := contentOf(label)
	d, err := l.BeginRun(c.run)
	if err != nil {
		return "", err
	}
	said("begun", d.ID())
	half := len(c.slices) / 2
	for _, batch := range [][]packed.Slice{c.slices[:half], c.slices[half:]} {
		if err := d.AddSlices(batch); err != nil {
			return "", err
		}
		said("sliced", d.ID())
	}
	for i, file := range c.files {
		if _, err := d.AddArtefact("cpu", fmt.Sprintf("%d.pb.gz", i), bytes.NewReader(file)); err != nil {
			return "", err
		}
		said("stored", d.ID())
	}
	if err := d.AddMeasures(c.measures); err != nil {
		return "", err
	}
	if err := d.Finish(Complete, "", nil); err != nil {
		return "", err
	}
	said("done", d.ID())
	return d.ID(), nil
}

func silent(string, string) {}

func mustOpen(t *testing.T, dir string) *Ledger {
	t.Helper()
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func mustRead(t *testing.T, dir string) *Ledger {
	t.Helper()
	l, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func mustStore(t *testing.T, l *Ledger, label string) string {
	t.Helper()
	id, err := store(l, label, silent)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// dump prints everything that the ledger knows of a run, its files included.
func dump(t *testing.T, l *Ledger, id string) string {
	t.Helper()
	r, err := l.Run(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Slices(id)
	if err != nil {
		t.Fatal(err)
	}
	a, err := l.Artefacts(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range a {
		// A file that is read at all has the SHA-256 that the row, and the dump, has.
		if _, err := l.ReadArtefact(one); err != nil {
			t.Fatal(err)
		}
	}
	m, err := l.Measures(id)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal([]any{r, s, a, m})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bytesOf maps every file under dir to its mode and content.
func bytesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			all[path] += string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantUnchanged fails if a file under dir differs from before.
func wantUnchanged(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	after := bytesOf(t, dir)
	for path, was := range before {
		if after[path] != was {
			t.Errorf("%s has changed or is gone", path)
		}
	}
	for path := range after {
		if _, known := before[path]; !known {
			t.Errorf("%s is new", path)
		}
	}
}

// wantFail fails unless err is of the kind, has a hint and says all of words.
func wantFail(t *testing.T, err error, kind fail.Kind, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if got := fail.ExitCode(err); got != int(kind) {
		t.Errorf("exit code %d, want %d: %v", got, kind, err)
	}
	if fail.HintOf(err) == "" {
		t.Errorf("no hint: %v", err)
	}
	for _, w := range words {
		if !bytes.Contains([]byte(err.Error()), []byte(w)) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

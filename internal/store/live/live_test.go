package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/vitals"
)

// heard is a sink that keeps what it hears.
type heard struct {
	phases, warnings []string
	ticks            int
}

func (h *heard) Phase(name string, _ time.Duration) { h.phases = append(h.phases, name) }
func (h *heard) Tick(progress.Tick)                 { h.ticks++ }
func (h *heard) Warn(text string)                   { h.warnings = append(h.warnings, text) }

// files are the names in the directory of live measurements.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, directory))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWatchersSeeAMeasurementFromItsBeginningToItsEnd(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		states := make(chan State, 100)
		ended := make(chan error)
		go func() {
			ended <- Watch(ctx, dir, func(s State) error { states <- s; return nil })
		}()
		next := &heard{}
		m := Tell(dir, "run", "hone run ./server --token=secret", next)
		m.Phase("build", 3*time.Second)
		time.Sleep(time.Second)
		m.Named("0a1b2c3d")
		m.Phase("measure", time.Minute)
		for range 250 { // slices of 10 ms
			time.Sleep(10 * time.Millisecond)
			m.Tick(progress.Tick{Done: time.Second, Total: time.Minute, RatePerSec: 1000, P99: 5 * time.Millisecond,
				Errors: 2,
				Vitals: func() vitals.Reading { return vitals.Reading{Process: vitals.Process{CPUCores: vitals.Of(0.5)}} },
				Lately: func(r *vitals.Reading) { r.Goroutines = vitals.Of(7) }})
		}
		m.Warn("the machine is busy")
		time.Sleep(time.Second)
		m.End()
		time.Sleep(2 * time.Second)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(states)
		var last, loaded State
		n := 0
		for s := range states {
			if n++; last.Ended {
				t.Errorf("%+v after the end", s)
			}
			if last = s; s.Loaded {
				loaded = s
			}
		}
		if n < 4 || n > 10 {
			t.Errorf("%d states of 4 seconds", n)
		}
		if !last.Ended || last.ID != "0a1b2c3d" || len(last.Warnings) != 1 || last.Kind != "run" {
			t.Errorf("the last state is %+v", last)
		}
		if loaded.RatePerSec != 1000 || loaded.Errors != 2 || loaded.P99 != 5*time.Millisecond ||
			len(loaded.Past) != 2 || loaded.Total != time.Minute {
			t.Errorf("under load: %+v", loaded)
		}
		if cores, _ := loaded.Latest.CPUCores.Get(); cores != 0.5 {
			t.Errorf("latest reading: %+v", loaded.Latest)
		}
		if routines, _ := loaded.Latest.Goroutines.Get(); routines != 7 {
			t.Errorf("latest reading: %+v", loaded.Latest)
		}
		if len(next.phases) != 2 || next.ticks != 250 || len(next.warnings) != 1 {
			t.Errorf("the next sink heard %+v", next)
		}
	})
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A file without a process behind it is not shown, and goes with the next measurement.
func TestFilesOfKilledProcessesAreNotShown(t *testing.T) {
	dir := t.TempDir()
	killed := Tell(dir, "run", "hone run", &heard{})
	if err := killed.file.Close(); err != nil { // as the kernel does
		t.Fatal(err)
	}
	if all, err := Read(dir); err != nil || len(all) != 0 {
		t.Errorf("shown: %+v, %v", all, err)
	}
	if left := files(t, dir); len(left) != 1 {
		t.Fatalf("files: %q", left)
	}
	m := Tell(dir, "run", "hone run", &heard{})
	defer m.End()
	if left := files(t, dir); len(left) != 1 || left[0] != m.state.Key {
		t.Errorf("files: %q, want that of %s", left, m.state.Key)
	}
	if all, err := Read(dir); err != nil || len(all) != 1 || all[0].Key != m.state.Key {
		t.Errorf("shown: %+v, %v", all, err)
	}
}

// A state becomes shorter when warnings leave: what was behind its end must not stay.
func TestShorterStatesReplaceLongerOnes(t *testing.T) {
	dir := t.TempDir()
	m := Tell(dir, "run", "hone run", &heard{})
	defer m.End()
	m.Phase(strings.Repeat("long ", 300), 0)
	m.Phase("short", 0)
	all, err := Read(dir)
	if err != nil || len(all) != 1 || all[0].Phase != "short" {
		t.Errorf("%+v, %v", all, err)
	}
}

// Where no file can be made, the measurement goes on and says so once.
func TestMeasurementsGoOnWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, directory)); err != nil {
		t.Fatal(err)
	}
	next := &heard{}
	m := Tell(dir, "run", "hone run", next)
	m.Phase("build", 0)
	m.Tick(progress.Tick{})
	m.Named("0a1b2c3d")
	m.End()
	if len(next.warnings) != 1 || len(next.phases) != 1 || next.ticks != 1 {
		t.Errorf("the next sink heard %+v", next)
	}
}

func TestForeignFilesArePassedOver(t *testing.T) {
	dir := t.TempDir()
	m := Tell(dir, "run", "hone run", &heard{})
	defer m.End()
	for _, text := range []string{"", "{", `{"schema":"hone.live/9"}`, `{"schema":"hone.live/1","key":"other"}`} {
		if _, err := m.file.WriteAt([]byte(text), 0); err != nil {
			t.Fatal(err)
		}
		if err := m.file.Truncate(int64(len(text))); err != nil {
			t.Fatal(err)
		}
		if all, err := Read(dir); err != nil || len(all) != 0 {
			t.Errorf("%q is shown: %+v, %v", text, all, err)
		}
	}
}

// The state of one second costs well under a thousandth of it.
func BenchmarkTick(b *testing.B) {
	m := Tell(b.TempDir(), "run", "hone run", &heard{})
	defer m.End()
	at := time.Now()
	m.now = func() time.Time { at = at.Add(every); return at } // every slice is a new second
	r := vitals.Reading{Process: vitals.Process{CPUCores: vitals.Of(1)},
		Runtime: vitals.Runtime{HeapBytes: vitals.Of(1e6)}}
	for b.Loop() {
		m.Tick(progress.Tick{RatePerSec: 1000, P99: time.Millisecond, Vitals: func() vitals.Reading { return r }})
	}
}

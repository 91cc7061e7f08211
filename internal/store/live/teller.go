package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
)

// every is the time between two states of a file.
const every = time.Second

// directory is where the files are, below the ledger's.
const directory = "live"

// Teller writes the state of a measurement to a file, and passes everything on to another sink. Where no file can be
// written it only passes on: what others see must not matter to a measurement. It implements progress.Sink and
// progress.Named, and is used from one goroutine.
type Teller struct {
	next progress.Sink
	home *storedir.Dir
	file *os.File // nil where there is none
	name string
	now  func() time.Time

	state   State
	written time.Time
	size    int64
}

var (
	_ progress.Sink  = (*Teller)(nil)
	_ progress.Named = (*Teller)(nil)
)

// Tell begins to tell of a measurement of this kind in the ledger at dir, which exists. End ends it.
func Tell(dir, kind, command string, next progress.Sink) *Teller {
	t := New(kind, command, next)
	t.Begin(dir)
	return t
}

// New makes a teller that only passes on until Begin, for a measurement that has no ledger yet.
func New(kind, command string, next progress.Sink) *Teller {
	t := &Teller{next: next, now: time.Now}
	now := t.now().UTC()
	t.state = State{Schema: Schema, Kind: kind, Command: clipped(redact.Text(command)), Started: now, PhaseBegan: now}
	return t
}

// Begin begins to tell in the ledger at dir, which exists. It is called at most once, from the goroutine that measures.
func (t *Teller) Begin(dir string) {
	if err := t.open(dir); err != nil {
		t.close()
		t.next.Warn(fmt.Sprintf("hone serve will not show this measurement while it goes on: %v", err))
		return
	}
	t.write(t.now())
}

// open makes the file, and removes those of processes that ended without End.
func (t *Teller) open(dir string) error {
	home, err := storedir.Open(dir)
	if err != nil {
		return err
	}
	t.home = home
	if _, err := home.Mkdir(directory); err != nil {
		return err
	}
	if err := sweep(home); err != nil {
		return err
	}
	if t.file, t.name, err = home.CreateTemp(directory, ""); err != nil {
		return err
	}
	t.state.Key = keyOf(t.name)
	return hold(t.file)
}

// hold locks the file. The kernel frees the lock when this process ends, however it ends. A reader that looks whether
// the lock is free has it for a moment.
func hold(f *os.File) (err error) {
	for range 100 {
		if err = filelock.Try(f); !errors.Is(err, filelock.ErrHeld) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// sweep removes the files that no process writes any more.
func sweep(home *storedir.Dir) error {
	entries, err := home.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := directory + "/" + e.Name()
		f, err := home.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if filelock.Try(f) == nil {
			err = home.RemoveAll(name)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// End removes the file.
func (t *Teller) End() {
	if t.file != nil {
		_ = t.home.RemoveAll(t.name) // the next measurement removes it otherwise
	}
	t.close()
}

func (t *Teller) close() {
	if t.file != nil {
		_ = t.file.Close()
		t.file = nil
	}
	if t.home != nil {
		_ = t.home.Close()
		t.home = nil
	}
}

// Phase begins a phase.
func (t *Teller) Phase(name string, expected time.Duration) {
	now := t.now()
	t.state.Phase, t.state.PhaseBegan, t.state.PhaseExpected = clipped(redact.Text(name)), now.UTC(), expected
	t.state.Done, t.state.Total, t.state.Loaded = 0, 0, false
	t.write(now)
	t.next.Phase(name, expected)
}

// Tick takes in a slice, and writes the state once a second.
func (t *Teller) Tick(tick progress.Tick) {
	s := &t.state
	s.P99 = max(s.P99, tick.P99)
	if now := t.now(); now.Sub(t.written) >= every {
		s.Done, s.Total, s.Variant, s.Loaded = tick.Done, tick.Total, tick.Variant, !tick.NoLoad
		s.RatePerSec, s.AskedPerSec, s.Errors, s.Note = tick.RatePerSec, tick.AskedPerSec, tick.Errors,
			clipped(tick.Note)
		if tick.Vitals != nil {
			latest := tick.Vitals()
			if tick.Lately != nil {
				tick.Lately(&latest)
			}
			s.Latest = &latest
		}
		if s.Loaded {
			s.Past = append(s.Past, Second{now.Sub(s.Started).Milliseconds(), s.Variant, s.RatePerSec, s.P99, s.Errors})
			s.Past = s.Past[max(0, len(s.Past)-mostPast):]
		}
		t.write(now)
		s.P99 = 0
	}
	t.next.Tick(tick)
}

// Warn adds a warning.
func (t *Teller) Warn(text string) {
	t.state.Warnings = append(t.state.Warnings, clipped(redact.Text(text)))
	t.state.Warnings = t.state.Warnings[max(0, len(t.state.Warnings)-mostWarnings):]
	t.write(t.now())
	t.next.Warn(text)
}

// Named says which run or comparison the ledger has for the measurement.
func (t *Teller) Named(id string) {
	t.state.ID = id
	t.write(t.now())
}

// write replaces the content of the file. A reader may see a part of it, which is not JSON, and reads again later.
// Errors are passed over: the next second brings another state.
func (t *Teller) write(now time.Time) {
	if t.file == nil {
		return
	}
	t.written, t.state.At = now, now.UTC()
	text, err := json.Marshal(&t.state)
	if err != nil {
		return
	}
	if _, err := t.file.WriteAt(text, 0); err == nil && int64(len(text)) < t.size {
		_ = t.file.Truncate(int64(len(text)))
	}
	t.size = int64(len(text))
}

// clipped bounds a text.
func clipped(text string) string {
	if len(text) <= mostText {
		return text
	}
	return text[:mostText] + " ..."
}

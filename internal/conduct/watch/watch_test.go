package watch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/vitals"
)

// album keeps the pictures.
type album struct {
	states   []panels.State
	readings []*vitals.Reading
	on       func(n int) // called with their number
}

func (a *album) Show(s panels.State, r *vitals.Reading) {
	a.states, a.readings = append(a.states, s), append(a.readings, r)
	if a.on != nil {
		a.on(len(a.states))
	}
}

func (a *album) last() panels.State { return a.states[len(a.states)-1] }

func untitled() string { return "service" }

// watching runs a watch of sources until it ends.
func watching(t *testing.T, c Config, a *album, sources ...source) (*Watch, error) {
	t.Helper()
	if c.Interval == 0 {
		c.Interval = time.Second
	}
	if c.Target.Word == "" {
		c.Target = Target{Word: "x:1", HostPort: "x:1"}
	}
	w, err := New(c, a)
	if err != nil {
		t.Fatal(err)
	}
	return w, w.run(t.Context(), sources, untitled)
}

func code(err error) int { return fail.ExitCode(err) }

func TestWatchEndsAfterItsDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &album{}
		began := time.Now()
		_, err := watching(t, Config{Duration: 5500 * time.Millisecond}, a,
			&scripted{what: "s", steps: []step{{value: cores(1)}}})
		if err != nil || time.Since(began) != 5500*time.Millisecond || len(a.states) != 6 {
			t.Errorf("%v after %v with %d pictures, want 6 in 5.5 s", err, time.Since(began), len(a.states))
		}
		s := a.last()
		if s.Total != 5500*time.Millisecond || s.Done != 5*time.Second || s.Groups[0].History.Len() != 6 {
			t.Errorf("%v of %v, %d readings", s.Done, s.Total, s.Groups[0].History.Len())
		}
	})
}

// The service ends: the picture stays for the grace, says so, and the exit code is 3.
func TestTheServiceGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &album{}
		began := time.Now()
		s := &scripted{what: "process", steps: []step{{value: cores(1)}, {value: cores(2)},
			{err: ended{errors.New("PID 7 has ended")}}}}
		_, err := watching(t, Config{Grace: 5 * time.Second}, a, s)
		if code(err) != 3 || !strings.Contains(err.Error(), "PID 7 has ended") ||
			!strings.Contains(fail.HintOf(err), "--follow") {
			t.Errorf("error %v, hint %q", err, fail.HintOf(err))
		}
		if took := time.Since(began); took != 7*time.Second { // 2 s there, 5 s gone
			t.Errorf("ended after %v", took)
		}
		last := a.last()
		if !strings.HasPrefix(last.Phase, "gone for ") ||
			!strings.Contains(strings.Join(last.Notes, " "), "gone: process: PID 7") {
			t.Errorf("phase %q, notes %q", last.Phase, last.Notes)
		}
		if r, age := last.Groups[0].History.Latest(func(r *vitals.Reading) vitals.Value {
			return r.CPUCores
		}); r == nil || age < 5*time.Second {
			t.Errorf("the last reading is kept, with its age: %v, %v", r, age)
		}
	})
}

// Without a screen there is no picture to look at: no grace.
func TestNoGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := &scripted{what: "process", steps: []step{{value: cores(1)}, {err: ended{errors.New("gone")}}}}
		if _, err := watching(t, Config{}, &album{}, s); code(err) != 3 || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// What was never there is not waited for, unless it is to be followed.
func TestNeverThere(t *testing.T) {
	gone := []step{{err: unreachable{errors.New("connection refused")}}}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := watching(t, Config{Grace: 5 * time.Second}, &album{}, &scripted{what: "a", steps: gone})
		if code(err) != 3 || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		a := &album{}
		steps := append(gone, gone[0], gone[0], step{value: cores(1)})
		_, err := watching(t, Config{Follow: true, Duration: 5 * time.Second}, a, &scripted{what: "a", steps: steps})
		last := a.last()
		if err != nil || last.Phase != "watch" || !strings.Contains(strings.Join(last.Notes, " "), "back after 3.0 s") {
			t.Errorf("%v, phase %q, notes %q", err, last.Phase, last.Notes)
		}
	})
}

func TestNothingToWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := watching(t, Config{}, &album{},
			&scripted{what: "a", steps: []step{{err: refusal{errors.New("answers 404")}}}},
			&scripted{what: "b", steps: []step{{err: refusal{errors.New("not this machine")}}}})
		if code(err) != 3 || !strings.Contains(err.Error(), "a: answers 404") ||
			!strings.Contains(err.Error(), "b: not this machine") {
			t.Errorf("error %v", err)
		}
	})
}

func TestPanicEndsTheWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := watching(t, Config{}, &album{}, &scripted{what: "s", steps: []step{{}, {panic: "out of range"}}})
		if err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("error %v", err)
		}
	})
}

func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, err := New(Config{Target: Target{Word: "x:1"}, Interval: time.Second}, &album{on: func(n int) {
			if n == 3 {
				cancel()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.run(ctx, []source{&scripted{what: "s", steps: []step{{}}}}, untitled); code(err) != 130 {
			t.Errorf("error %v", err)
		}
	})
}

// Marks and readings end up in the ledger, and can be read back.
func TestMarkAndSave(t *testing.T) {
	dir := t.TempDir() + "/ledger"
	var w *Watch
	a := &album{on: func(n int) {
		switch n {
		case 2:
			w.Do(SetMark)
		case 4:
			w.Do(Save)
		case 5:
			w.Do(Save) // one is under way, or has ended: both are fine
		case 8:
			w.Do(Quit)
		}
	}}
	w, err := New(Config{Target: Target{Word: "x:1", HostPort: "x:1"}, Interval: shortestInterval, Ledger: dir}, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run(t.Context(), []source{&scripted{what: "s", steps: []step{{value: goroutines(12)}}}},
		untitled); err != nil {
		t.Fatal(err)
	}
	if len(w.Kept()) == 0 || w.Kept()[0].What != Readings {
		t.Fatalf("kept %v; notes %q", w.Kept(), a.last().Notes)
	}
	store, err := ledger.OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	run, err := store.Run(w.Kept()[0].Run)
	if err != nil || run.Status != ledger.Complete || run.Label != "watch x:1" || run.Target != "x:1" {
		t.Errorf("%+v, %v", run, err)
	}
	artefacts, err := store.Artefacts(run.ID)
	if err != nil || len(artefacts) != 1 || artefacts[0].Kind != Artefact {
		t.Fatalf("%v, %v", artefacts, err)
	}
	text, err := store.ReadArtefact(artefacts[0])
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ReadDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Schema != Schema || doc.Run != run.ID || len(doc.Marks) != 1 || doc.Interval != shortestInterval ||
		len(doc.Readings) < 2 || doc.Readings[0].Goroutines != vitals.Of(12) ||
		doc.Marks[0].At.Before(doc.Readings[0].At) {
		t.Errorf("saved %+v", doc)
	}
}

// What was asked for is saved although the watch ends, and behind profiles that are being
// taken; if it cannot be, that is an error.
func TestSaveAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		dir  string
		kept int
	}{{t.TempDir() + "/ledger", 1}, {"/dev/null/ledger", 0}} {
		var w *Watch
		a := &album{on: func(n int) {
			if n == 1 {
				w.Do(TakeProfile)
				w.Do(Save)
				w.Do(Quit)
			}
		}}
		w, err := New(Config{
			Target: Target{Word: "x"}, Interval: shortestInterval, Ledger: c.dir,
			Profile: func(ctx context.Context) (string, []string, error) { <-ctx.Done(); return "", nil, ctx.Err() },
		}, a)
		if err != nil {
			t.Fatal(err)
		}
		err = w.run(t.Context(), []source{&scripted{what: "s", steps: []step{{value: cores(1)}}}}, untitled)
		if len(w.Kept()) != c.kept || (err != nil) != (c.kept == 0) || err != nil && code(err) != 5 {
			t.Errorf("%s: kept %v, error %v", c.dir, w.Kept(), err)
		}
	}
}

// A ledger that cannot be written is a note; the watch goes on.
func TestSaveThatFails(t *testing.T) {
	var w *Watch
	a := &album{}
	a.on = func(n int) {
		switch {
		case n == 1:
			w.Do(Save)
		case strings.Contains(strings.Join(a.last().Notes, " "), "/dev/null"):
			w.Do(Quit)
		case n > 200:
			t.Errorf("no note of the failure: %q", a.last().Notes)
			w.Do(Quit)
		}
	}
	w, err := New(Config{Target: Target{Word: "x"}, Interval: shortestInterval, Ledger: "/dev/null/ledger"}, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run(t.Context(), []source{&scripted{what: "s", steps: []step{{value: cores(1)}}}},
		untitled); err != nil {
		t.Error(err)
	}
	if len(w.Kept()) != 0 {
		t.Errorf("kept %v", w.Kept())
	}
}

// Profiles are taken beside the readings, one at a time; quitting ends them and waits.
func TestProfilesBesideReadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w *Watch
		calls, ended := 0, false
		a := &album{on: func(n int) {
			switch n {
			case 1, 3:
				w.Do(TakeProfile)
			case 20:
				w.Do(TakeProfile)
				w.Do(Quit)
			}
		}}
		w, err := New(Config{
			Target: Target{Word: "x:1"}, Interval: time.Second,
			Profile: func(ctx context.Context) (string, []string, error) {
				if calls++; calls == 2 {
					<-ctx.Done()
					ended = true
					return "", nil, ctx.Err()
				}
				time.Sleep(5 * time.Second)
				return "r1", []string{"no mutex profile"}, nil
			},
		}, a)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.run(t.Context(), []source{&scripted{what: "s", steps: []step{{}}}}, untitled); err != nil {
			t.Fatal(err)
		}
		if calls != 2 || !ended {
			t.Errorf("%d calls, the last one ended: %v", calls, ended)
		}
		if len(w.Kept()) != 1 || w.Kept()[0] != (Kept{"r1", Profiles}) {
			t.Errorf("kept %v", w.Kept())
		}
		var all []string
		for _, s := range a.states {
			all = append(all, s.Notes...)
		}
		text := strings.Join(all, "\n")
		for _, want := range []string{"profiles: being taken", "profiles: still being taken",
			"profiles kept as run r1 (no mutex profile)"} {
			if !strings.Contains(text, want) {
				t.Errorf("no note %q", want)
			}
		}
	})
}

func TestNoProfilesHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w *Watch
		a := &album{on: func(n int) { w.Do([]Action{TakeProfile, Quit}[min(n-1, 1)]) }}
		w, err := New(Config{Target: Target{Word: "x"}, Interval: time.Second, NoProfile: "no address"}, a)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.run(t.Context(), []source{&scripted{what: "s", steps: []step{{}}}}, untitled); err != nil {
			t.Fatal(err)
		}
		if got := a.last().Notes; len(got) != 1 || !strings.Contains(got[0], "no profiles: no address") {
			t.Errorf("notes %q", got)
		}
	})
}

func TestBadConfig(t *testing.T) {
	_, err := New(Config{Interval: time.Millisecond, Duration: -1, Follow: true}, &album{})
	if code(err) != 2 {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"interval is 1ms", "duration is -1ns", "only an address can be followed"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: nothing of %q", err, want)
		}
	}
}

// A long time fits one picture, with its marks.
func TestPicture(t *testing.T) {
	d := Document{Schema: Schema, Title: "localhost:1  PID 7 (x)"}
	start := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for i := range 3600 {
		r := goroutines(float64(i))
		r.At = start.Add(time.Duration(i) * time.Second)
		d.Readings = append(d.Readings, r)
	}
	d.Marks = []vitals.Mark{{At: start.Add(30 * time.Minute), Number: 1}}
	var b strings.Builder
	if err := d.Picture(&b, panels.Size{Width: 100, Height: 12}, panels.Theme{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 12 || !strings.Contains(lines[0], "3600 readings in 59m59s") ||
		!strings.Contains(lines[0], d.Title) {
		t.Errorf("picture of %d lines:\n%s", len(lines), b.String())
	}
	mark := ""
	for _, l := range lines {
		if strings.HasPrefix(l, "marks") {
			mark = l
		}
	}
	// The mark stands in the middle of the plot, which goes from 43 to 92.
	if at := strings.Index(mark, " 1 "); at < 60 || at > 75 ||
		!strings.Contains(mark, "58m") && !strings.Contains(mark, "59m") {
		t.Errorf("marks at %d: %q", at, mark)
	}
	if _, err := ReadDocument([]byte(`{"schema":"hone.watch/9"}`)); code(err) != 5 ||
		!strings.Contains(err.Error(), "hone.watch/9") {
		t.Errorf("a newer document: %v", err)
	}
	if _, err := ReadDocument([]byte("{")); code(err) != 5 {
		t.Errorf("a broken document: %v", err)
	}
}

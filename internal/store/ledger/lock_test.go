package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// A second writer is turned away at once with the PID of the first; readers work;
// and the lock is free when the first is killed.
func TestSecondWriterNamesTheFirst(t *testing.T) {
	dir := t.TempDir()
	w := startOther(t, "hold", dir)
	line := w.next()
	if line == nil {
		t.Fatal(w.errs)
	}
	_, err := Open(dir)
	wantFail(t, err, fail.Storage, fmt.Sprintf("PID %d", w.cmd.Process.Pid))
	_, err = OpenWith(dir, Options{Wait: time.Millisecond})
	wantFail(t, err, fail.Storage, fmt.Sprintf("PID %d", w.cmd.Process.Pid), "after 1ms")
	if _, err := mustRead(t, dir).Run(line[1]); err != nil {
		t.Error(err)
	}
	w.kill()
	mustStore(t, mustOpen(t, dir), "after")
}

// A writer that waits gets the ledger when the first one ends.
func TestSecondWriterWaits(t *testing.T) {
	dir := t.TempDir()
	w := startOther(t, "hold", dir)
	if w.next() == nil {
		t.Fatal(w.errs)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		l, err := OpenWith(dir, Options{Wait: time.Minute})
		if err != nil {
			t.Error(err)
			return
		}
		defer l.Close()
		runs, err := l.Runs(RunFilter{})
		if err != nil || len(runs) != 1 || runs[0].Status != Interrupted {
			t.Errorf("the first writer's run: %+v, %v", runs, err)
		}
	})
	w.stdin.Close() // the first one closes its ledger
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, w.errs)
	}
}

// A command that has something to keep waits for a writer as long as it takes, says for whom, and stops with its
// context.
func TestAKeeperWaitsForAnyTime(t *testing.T) {
	dir := t.TempDir()
	w := startOther(t, "hold", dir)
	if w.next() == nil {
		t.Fatal(w.errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := OpenWaiting(ctx, dir, Options{}, func(string) { cancel() }); fail.KindOf(err) != fail.Interrupted {
		t.Errorf("a wait that was ended: %v", err)
	}
	l, err := OpenWaiting(t.Context(), dir, Options{}, func(writer string) {
		if want := fmt.Sprintf("hone with PID %d", w.cmd.Process.Pid); writer != want {
			t.Errorf("it waits for %s, want %s", writer, want)
		}
		w.stdin.Close() // the first one closes its ledger
	})
	if err != nil {
		t.Fatal(err)
	}
	mustStore(t, l, "after")
	if err := errors.Join(l.Close(), w.cmd.Wait()); err != nil {
		t.Error(err)
	}
}

// Within one process the lock holds as well, and the text left by a dead holder
// blames no process.
func TestLockText(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "lock"))
	if err != nil || !strings.Contains(string(text), fmt.Sprint("pid ", os.Getpid())) {
		t.Errorf("lock says %q, %v", text, err)
	}
	_, err = Open(dir)
	wantFail(t, err, fail.Storage, "this hone itself")
	if err := os.WriteFile(filepath.Join(dir, "lock"), []byte("pid 1\nstart never\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(dir)
	wantFail(t, err, fail.Storage, "another hone")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir)
}

// Writers that come together take turns, and no run is lost.
func TestWritersTakeTurns(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	const writers, each = 4, 3
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				l, err := OpenWith(dir, Options{Wait: time.Minute})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := store(l, fmt.Sprintf("w%d-%d", w, i), silent); err != nil {
					t.Error(err)
				}
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	l := mustRead(t, dir)
	runs, err := l.Runs(RunFilter{})
	if err != nil || len(runs) != writers*each {
		t.Fatalf("%d runs, want %d: %v", len(runs), writers*each, err)
	}
	for _, r := range runs {
		wantContent(t, l, r.ID, r.Label)
	}
}

func TestHolderTextIsReadBack(t *testing.T) {
	for _, p := range []process{{1, ""}, {4711, "123@boot"}, self()} {
		if got, ok := parseHolder(holderText(p)); !ok || got != p {
			t.Errorf("%+v came back as %+v, %v", p, got, ok)
		}
	}
}

func FuzzParseHolder(f *testing.F) {
	f.Add("pid 12\nstart 34@x\n")
	f.Add("pid 12\nstart 34")
	f.Add("pid -1\nstart \n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parseHolder(text)
		if !ok {
			return
		}
		if again, ok := parseHolder(holderText(p)); p.PID <= 0 || !ok || again != p {
			t.Errorf("%q: %+v, then %+v", text, p, again)
		}
	})
}

package gobench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// Links where the results of benchmarks are kept lead to nothing that is written: what is
// the user's stays. Within the ledger they are refused before anything is built, elsewhere
// the link itself gives way to the file.
func TestResultsAreNotWrittenThroughLinks(t *testing.T) {
	for _, c := range []struct {
		name, link, to string // of the link, and what it leads to
		within         bool
	}{
		{"the ledger", ".hone", ".", true},
		{"the directory", ".hone/bench", ".", true},
		{"a file", ".hone/bench/a.txt", "letter", true},
		{"a file elsewhere", "a.txt", "letter", false},
	} {
		work, documents := t.TempDir(), t.TempDir()
		letter := filepath.Join(documents, "letter")
		link := filepath.Join(work, c.link)
		if err := os.WriteFile(letter, []byte("Dear all"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(documents, c.to), link); err != nil {
			t.Fatal(err)
		}
		r := Task{Home: filepath.Join(work, ".hone"),
			Out: [2]string{filepath.Join(work, "a.txt"), filepath.Join(work, "b.txt")}}
		if c.within {
			r.Out = [2]string{filepath.Join(r.Home, "bench", "a.txt"), filepath.Join(r.Home, "bench", "b.txt")}
		}
		early := r.checkOut()
		sink, late := newSink(r.Home, r.Out[0], &sources.Side{Side: benchmarks.Side{Name: "A"}})
		for _, err := range []error{early, late} {
			if c.within && (fail.ExitCode(err) != int(fail.Untrusted) ||
				!strings.Contains(err.Error(), "symbolic link")) {
				t.Errorf("%s: exit code %d: %v", c.name, fail.ExitCode(err), err)
			}
			if !c.within && err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if sink != nil {
			if err := sink.close(); err != nil {
				t.Error(err)
			}
		}
		if text, err := os.ReadFile(letter); err != nil || string(text) != "Dear all" {
			t.Errorf("%s: the user's file holds %q, %v", c.name, text, err)
		}
		if entries, err := os.ReadDir(documents); err != nil || len(entries) != 1 {
			t.Errorf("%s: the user's directory holds %v, %v", c.name, entries, err)
		}
	}
}

// A directory of the ledger that is named as the file for results is not removed.
func TestResultsDoNotReplaceADirectory(t *testing.T) {
	home := filepath.Join(t.TempDir(), ".hone")
	blob := filepath.Join(home, "blobs", "ab", "cd")
	if err := os.MkdirAll(blob, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := newSink(home, filepath.Join(home, "blobs"),
		&sources.Side{Side: benchmarks.Side{Name: "A"}}); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(blob); err != nil {
		t.Error(err)
	}
}

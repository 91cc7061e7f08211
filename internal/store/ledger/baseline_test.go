package ledger

import (
	"errors"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// A run is pinned, found by its name, pinned anew, listed and cleared; and each wrong
// word gets an answer that helps.
func TestBaselines(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	_, err := l.Run("baseline")
	wantFail(t, err, fail.BadInput, `"default"`, "no run is pinned")

	one, two := mustStore(t, l, "one"), mustStore(t, l, "two")
	for _, step := range []struct{ name, run string }{{"", one[:6]}, {"main", one}, {"main", two}} {
		if _, err := l.SetBaseline(step.name, step.run, "before the rewrite"); err != nil {
			t.Fatal(err)
		}
	}
	// A baseline of a baseline pins the run, not the name.
	if b, err := l.SetBaseline("copy", "baseline:main", ""); err != nil || b.Run != two {
		t.Errorf("%+v, %v", b, err)
	}
	r := mustRead(t, dir)
	for word, want := range map[string]string{
		"baseline": one, "baseline:default": one, "baseline:main": two, "baseline:copy": two,
	} {
		if got, err := r.Run(word); err != nil || got.ID != want {
			t.Errorf("%s: %s, want %s: %v", word, got.ID, want, err)
		}
		if ref, err := r.Find(word); err != nil || ref.ID != want || ref.Kind != KindRun {
			t.Errorf("find %s: %v, want run %s: %v", word, ref, want, err)
		}
		if s, err := r.Slices(word); err != nil || len(s) == 0 {
			t.Errorf("slices of %s: %d, %v", word, len(s), err)
		}
	}
	all, err := r.Baselines()
	if err != nil || len(all) != 3 || all[1].Name != "default" || all[1].Note != "before the rewrite" ||
		all[1].At.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = r.Run("baseline:mian")
	wantFail(t, err, fail.BadInput, "mian")
	if hint := fail.HintOf(err); !strings.Contains(hint, "baseline:main") {
		t.Errorf("hint %q", hint)
	}
	_, err = r.Comparison("baseline")
	wantFail(t, err, fail.BadInput)
	if _, err := r.SetBaseline("", one, ""); !errors.Is(err, errReadOnly) {
		t.Errorf("a reader pinned a run: %v", err)
	}
	if b, err := l.ClearBaseline("main"); err != nil || b.Run != two {
		t.Errorf("%+v, %v", b, err)
	}
	_, err = r.Run("baseline:main")
	wantFail(t, err, fail.BadInput, "main")
	_, err = l.ClearBaseline("main")
	wantFail(t, err, fail.BadInput, "main")
}

// Only a complete run is pinned, under a name that can be typed.
func TestBaselineRefuses(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	id := mustStore(t, l, "one")
	for _, name := range []string{"with space", "a:b", "-flag", "ü", strings.Repeat("x", 65), "a\nb"} {
		_, err := l.SetBaseline(name, id, "")
		wantFail(t, err, fail.BadInput, "baseline name")
		_, err = l.Run("baseline:" + name)
		wantFail(t, err, fail.BadInput)
	}
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.SetBaseline("", d.ID(), "")
	wantFail(t, err, fail.BadInput, "running")
	if err := d.Finish(Invalid, "withheld", nil); err != nil {
		t.Fatal(err)
	}
	_, err = l.SetBaseline("", d.ID(), "")
	wantFail(t, err, fail.BadInput, "invalid")
	_, err = l.SetBaseline("", "ffff", "")
	wantFail(t, err, fail.BadInput, "ffff")
	if all, err := l.Baselines(); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

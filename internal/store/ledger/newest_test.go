package ledger

import (
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// Names by age count from the newest. Among runs and comparisons a comparison stands for its runs; what is still
// measured does not count; and who asks is told what was taken.
func TestNamesByAge(t *testing.T) {
	l := ids(t, "11110000", "22220000", "33330000", "44440000", "55550000")
	if _, err := l.Find("last"); fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" {
		t.Errorf("an empty ledger: %v", err)
	}
	run := func(r Run) {
		t.Helper()
		d, err := l.BeginRun(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Finish(Complete, "", nil); err != nil {
			t.Fatal(err)
		}
	}
	run(Run{Label: "./one"})
	c, err := l.BeginComparison(Comparison{})
	if err != nil {
		t.Fatal(err)
	}
	run(Run{Label: "./a", Comparison: c.ID()})
	run(Run{Label: "./b", Comparison: c.ID()})
	if found, err := l.Find("last"); err != nil || found.ID != "11110000" {
		t.Errorf("while the comparison is measured, last is %v, %v", found, err)
	}
	if err := c.Finish(Comparison{Status: Complete}); err != nil {
		t.Fatal(err)
	}
	var told []Newest
	l.OnNewest(func(n Newest) { told = append(told, n) })
	for _, want := range []struct {
		name string
		kind []Kind
		id   string
		of   string
	}{
		{"last", nil, "22220000", "./a against ./b"},
		{"last-1", nil, "11110000", "./one"},
		{"last", []Kind{KindRun}, "44440000", "./b"},
		{"last-1", []Kind{KindRun}, "33330000", "./a"},
		{"last-2", []Kind{KindRun}, "11110000", "./one"},
		{"last-0", []Kind{KindComparison}, "22220000", "./a against ./b"},
	} {
		found, err := l.Find(want.name, want.kind...)
		if err != nil || found.ID != want.id {
			t.Errorf("%s of %v is %v, %v, want %s", want.name, want.kind, found, err, want.id)
			continue
		}
		if n := told[len(told)-1]; n.Ref != found || n.Label != want.of {
			t.Errorf("%s of %v: told %+v, want %s", want.name, want.kind, n, want.of)
		}
	}
	for _, name := range []string{"last-2", "last-", "last-x", "last--1", "lasting", "Last",
		"last-1000000000000000000000"} {
		if found, err := l.Find(name); fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s is %v, %v", name, found, err)
		}
	}
}

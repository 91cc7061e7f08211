package ledger

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// ids opens a ledger that draws the given ids, in this order.
func ids(t *testing.T, all ...string) *Ledger {
	t.Helper()
	var random []byte
	for _, id := range all {
		b, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		random = append(random, b...)
	}
	l, err := OpenWith(t.TempDir(), Options{Random: bytes.NewReader(random)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func beginBoth(t *testing.T, l *Ledger, runs, comparisons int) {
	t.Helper()
	for range runs {
		if _, err := l.BeginRun(Run{}); err != nil {
			t.Fatal(err)
		}
	}
	for range comparisons {
		if _, err := l.BeginComparison(Comparison{}); err != nil {
			t.Fatal(err)
		}
	}
}

// An id is found by any of its beginnings of four digits or more that nothing else
// shares; every other beginning gets a message that helps.
func TestFindByPrefix(t *testing.T) {
	l := ids(t, "abcd1111", "abcd2222", "ffff0000", "abce0000", "ffff1111")
	beginBoth(t, l, 3, 2)

	for prefix, want := range map[string]Ref{
		"abcd1":    {KindRun, "abcd1111"},
		"ABCD2222": {KindRun, "abcd2222"},
		"ffff0":    {KindRun, "ffff0000"},
		"abce":     {KindComparison, "abce0000"},
	} {
		if got, err := l.Find(prefix); err != nil || got != want {
			t.Errorf("find %s: %v, %v; want %v", prefix, got, err, want)
		}
	}
	if r, err := l.Run("ffff"); err != nil || r.ID != "ffff0000" {
		t.Errorf("one run and one comparison begin so, the run was asked for: %v, %v", r.ID, err)
	}
	if c, err := l.Comparison("ffff"); err != nil || c.ID != "ffff1111" {
		t.Errorf("one run and one comparison begin so, the comparison was asked for: %v, %v", c.ID, err)
	}

	for prefix, words := range map[string][]string{
		"abcd":      {"run abcd1111", "run abcd2222"},
		"ffff":      {"run ffff0000", "comparison ffff1111"},
		"1234":      {"1234", "no run or comparison"},
		"abc":       {"8 hexadecimal digits", "first 4"},
		"":          {"8 hexadecimal digits"},
		"abcd11110": {"8 hexadecimal digits"},
		"ab%d":      {"8 hexadecimal digits"},
	} {
		_, err := l.Find(prefix)
		wantFail(t, err, fail.BadInput, words...)
	}
	_, err := l.Run("abce")
	wantFail(t, err, fail.BadInput, "comparison abce0000")
	_, err = l.Slices("abcd")
	wantFail(t, err, fail.BadInput, "abcd2222")
}

// An id that is taken, by a run or by a comparison, is drawn again; a source that
// never gives another is an error, not a loop.
func TestIDCollision(t *testing.T) {
	l := ids(t, "abcd1111", "abcd1111", "abcd2222", "abcd2222", "abcd1111", "abcd3333",
		"abcd1111", "abcd1111", "abcd1111", "abcd1111", "abcd1111", "abcd1111", "abcd1111", "abcd1111")
	beginBoth(t, l, 2, 1)
	for _, id := range []string{"abcd1111", "abcd2222", "abcd3333"} {
		if _, err := l.Find(id); err != nil {
			t.Error(err)
		}
	}
	if _, err := l.BeginRun(Run{}); err == nil {
		t.Error("a taken id was given out again")
	}
}

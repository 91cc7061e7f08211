package cheats

import (
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
)

// Of the closed half neither the records nor the report name a pair or show what hone said of it.
func TestClosedHalf(t *testing.T) {
	var c config
	var all []record
	for half, name := range map[string]string{bed.HalfOpen: "shown", bed.HalfClosed: "hidden"} {
		p := pair{Name: name, Half: half, Kind: "cache", Does: "keeps " + name}
		all = append(all, c.recordOf(said{p, 0, "B is faster than A: CPU 2 -> 1 us", ""}))
		if (c.shown(p) == name) != (half == bed.HalfOpen) {
			t.Errorf("progress names %s", c.shown(p))
		}
	}
	for _, closed := range []bool{false, true} {
		res := &bed.Result{}
		document(res, all, closed)
		text := res.Text()
		if !strings.Contains(text, "keeps shown") || strings.Contains(text, "hidden") != closed ||
			strings.Count(text, "goal at least 96.7 %: missed") != 2 {
			t.Errorf("closed %t: %s", closed, text)
		}
	}
	for _, r := range all {
		if r.Half == bed.HalfClosed && (r.Said != "" || r.Does != "" || r.Word != plain) {
			t.Errorf("%+v", r)
		}
	}
}

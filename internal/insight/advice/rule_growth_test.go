package advice

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof/holders"
)

// The finding of growth names the holder, and stands where that is declared if it is the user's.
func TestGrowthNamesItsHolder(t *testing.T) {
	grows := func(h *holders.Holder) Finding {
		t.Helper()
		v := recordedView(t, "unbounded-growth", "speaks.view")
		v.Holder = h
		var saved bytes.Buffer
		if err := v.Save(&saved); err != nil {
			t.Fatal(err)
		}
		v, err := facts.ReadView(saved.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range find(t, v).Findings {
			if f.Rule == "unbounded-growth" {
				return f
			}
		}
		t.Fatal("no unbounded-growth")
		return Finding{}
	}
	allocates := grows(nil)
	module := recordedView(t, "unbounded-growth", "speaks.view").Code.Module
	own := grows(&holders.Holder{Name: "seen", File: module + "/main.go", Line: 12, Bytes: 62e6})
	if own.Place != (code.Place{Function: "seen", File: module + "/main.go", Line: 12}) ||
		!strings.HasSuffix(own.Evidence[1].Text, "allocated at "+allocates.Place.String()) ||
		own.Evidence[2].Source != "holders" || own.Evidence[2].Text != "62.0 MB are held by seen, main.go:12" {
		t.Errorf("%v %+v", own.Place, own.Evidence)
	}
	for _, h := range []*holders.Holder{{Name: "pool", File: "net/http/server.go", Line: 1}, {Name: "pool"}} {
		if f := grows(h); f.Place != allocates.Place || len(f.Evidence) != 4 {
			t.Errorf("%v %+v", f.Place, f.Evidence)
		}
	}
}

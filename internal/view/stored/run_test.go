package stored

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

// A run has the document of its kind, and what all kinds have in common, whatever the document says of its name.
func TestRunOf(t *testing.T) {
	for name, c := range map[string]struct {
		doc, label, kind string
	}{
		"under load": {`{"schema":"hone.run/1","id":"ffff","label":"./server","plan":{"connections":4}}`,
			"./server", "run"},
		"executions": {`{"schema":"hone.once/1","id":"ffff","label":"./prog","facts":{}}`, "./prog", "once"},
		"load test": {`{"schema":"hone.loadrun/1","id":"ffff","label":"http://h/","status":"running"}`,
			"http://h/", "load"},
		"captures": {`{"schema":"hone.capture/1","id":"ffff","label":"cpu.out","captures":[{"kind":"cpu"}]}`,
			"cpu.out", "kept"},
		"no document":    {``, "row", "kept"},
		"another schema": {`{"schema":"hone.run/9"}`, "row", `"hone.run/9"`},
		"a wrong type":   {`{"schema":"hone.run/1","label":7}`, "row", "read stored document"},
	} {
		r, err := RunOf(ledger.Run{ID: "0a1b2c3d", Label: "row", Status: ledger.Complete, Doc: json.RawMessage(c.doc)})
		kind := "run"
		switch {
		case err != nil:
			if kind = err.Error(); fail.KindOf(err) != fail.Storage {
				t.Errorf("%s: %v is not an error of the ledger", name, err)
			}
		case r.Once != nil:
			kind = "once"
		case r.Load != nil:
			if kind = "load"; r.Load.ID != "0a1b2c3d" || r.Load.Status != ledger.Complete {
				t.Errorf("%s: %+v, want what the ledger says", name, r.Load)
			}
		case r.Kept():
			kind = "kept"
		}
		if !strings.Contains(kind, c.kind) || r.Record.ID != "0a1b2c3d" || r.Record.Label != c.label {
			t.Errorf("%s: a %s %q %q", name, kind, r.Record.ID, r.Record.Label)
		}
	}
}

// A comparison of executions has their documents; one of other runs has none of them.
func TestExecutions(t *testing.T) {
	of := func(docs ...string) []string {
		c := &Comparison{}
		for i, doc := range docs {
			r, err := RunOf(ledger.Run{ID: string(rune('a' + i)), Doc: json.RawMessage(doc)})
			if err != nil {
				t.Fatal(err)
			}
			c.Runs = append(c.Runs, r)
		}
		var ids []string
		for _, one := range c.Executions() {
			ids = append(ids, one.ID)
		}
		return ids
	}
	const once, load = `{"schema":"hone.once/1","id":"a"}`, `{"schema":"hone.run/1"}`
	if got := of(once, ""); len(got) != 2 || got[1] != "b" {
		t.Errorf("of one that crashed: %q", got)
	}
	for name, got := range map[string][]string{"under load": of(load, load), "mixed": of(once, load),
		"crashed": of("", "")} {
		if got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

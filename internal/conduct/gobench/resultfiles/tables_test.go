package resultfiles

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// benchstat itself made the golden files: testdata/benchstat.sh.
func TestCompareAgreesWithBenchstat(t *testing.T) {
	for _, c := range []struct {
		golden string
		paths  []string
		alpha  float64
	}{
		{"old_new.csv", []string{"old.txt", "new.txt"}, 0.05},
		{"three.csv", []string{"old.txt", "few.txt", "new.txt"}, 0.05},
		{"hone.csv", []string{"hone-A.txt", "hone-B.txt"}, 0.05},
		{"strict.csv", []string{"old.txt", "new.txt"}, 0.01},
	} {
		t.Run(c.golden, func(t *testing.T) {
			var paths []string
			for _, p := range c.paths {
				paths = append(paths, p+"=testdata/"+p)
			}
			tables, err := Compare(t.Context(), Task{Test: spec.Test{Alpha: c.alpha}, Paths: paths})
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join("testdata", c.golden))
			if err != nil {
				t.Fatal(err)
			}
			sameCSV(t, likeBenchstat(t, tables), string(want))
		})
	}
}

// likeBenchstat writes tables in the form of benchstat -format csv.
func likeBenchstat(t *testing.T, tables *benchmarks.Tables) string {
	var lines []string
	shown := map[string]string{}
	row := func(cells ...string) {
		var b strings.Builder
		w := csv.NewWriter(&b)
		if err := w.Write(cells); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		lines = append(lines, strings.TrimSuffix(b.String(), "\n"))
	}
	for i, table := range tables.Tables {
		if i > 0 {
			lines = append(lines, "")
		}
		for _, c := range table.Config {
			key, _, _ := strings.Cut(c, ":")
			if shown[key] != c {
				lines, shown[key] = append(lines, c), c
			}
		}
		files, units := []string{""}, []string{""}
		for j, name := range tables.Files {
			files, units = append(files, name, ""), append(units, table.Unit, "CI")
			if j > 0 {
				files, units = append(files, "", ""), append(units, "vs base", "P")
			}
		}
		row(files...)
		row(units...)
		for _, r := range table.Rows {
			cells := []string{r.Name}
			for j, c := range r.Cells {
				cells = append(cells, cellLikeBenchstat(c, j > 0)...)
			}
			row(cells...)
		}
		cells := []string{"geomean"}
		for j, g := range table.Geo {
			mean, ratio := "", "?"
			if g.Mean != nil {
				mean = fmt.Sprint(*g.Mean)
			}
			cells = append(cells, mean, "")
			if g.Ratio != nil {
				ratio = fmt.Sprintf("%+.2f%%", (*g.Ratio-1)*100)
			}
			if j > 0 {
				cells = append(cells, ratio, "")
			}
		}
		row(cells...)
	}
	return strings.Join(lines, "\n")
}

func cellLikeBenchstat(c *benchmarks.Cell, compared bool) []string {
	cells := []string{"", ""}
	if c != nil {
		cells = []string{fmt.Sprint(c.Median), c.Range}
	}
	switch {
	case compared && c != nil && c.Change != nil:
		cells = append(cells, c.Change.Delta, c.Change.Test)
	case compared:
		cells = append(cells, "", "")
	}
	return cells
}

// sameCSV compares cell by cell; numbers may differ in their last digits, and rows in
// empty cells at their end.
func sameCSV(t *testing.T, got, want string) {
	t.Helper()
	read := func(text string) [][]string {
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for len(row) > 0 && row[len(row)-1] == "" {
				row = row[:len(row)-1]
			}
			rows[i] = row
		}
		return rows
	}
	g, w := read(got), read(want)
	if len(g) != len(w) {
		t.Fatalf("%d rows, benchstat has %d:\n%s", len(g), len(w), got)
	}
	for i := range w {
		if !slices.EqualFunc(g[i], w[i], sameCell) {
			t.Errorf("row %d: %q, benchstat has %q", i+1, g[i], w[i])
		}
	}
}

func sameCell(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return a == b
	}
	return math.Abs(x-y) <= 1e-12*math.Abs(y)
}

func TestCompareNamesTheLinesItCannotRead(t *testing.T) {
	tables, err := Compare(t.Context(), Task{Paths: []string{"testdata/old.txt", "testdata/few.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"testdata/few.txt:31: parsing iteration count: invalid syntax",
		"testdata/few.txt:32: missing units"}
	if !slices.Equal(tables.Warnings, want) {
		t.Errorf("warnings %q, want %q", tables.Warnings, want)
	}
	if _, err := json.Marshal(tables); err != nil { // three results have no interval
		t.Error(err)
	}
}

// Worse is what is both significant and beyond the tolerance; which way is worse depends
// on the unit.
func TestCompareSaysWhatGotWorse(t *testing.T) {
	words := func(delta float64) map[string]judge.Word {
		tables, err := Compare(t.Context(), Task{Test: spec.Test{Delta: delta},
			Paths: []string{"testdata/old.txt", "testdata/new.txt"}})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]judge.Word{}
		for _, table := range tables.Tables[:4] { // of the first package
			for _, row := range table.Rows {
				if c := row.Cells[1]; c != nil && c.Change != nil && c.Change.Word != "" {
					found[table.Unit+" "+row.Name] = c.Change.Word
				}
			}
		}
		return found
	}
	wants := func(delta float64, want map[string]judge.Word) {
		t.Helper()
		if got := words(delta); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("beyond %v: %v, want %v", delta, got, want)
		}
	}
	wants(0.01, map[string]judge.Word{
		"sec/op Parse/small-2": judge.Slower, "B/s Parse/small-2": judge.Slower,
		"sec/op Parse/large-2": judge.Faster, "B/s Parse/large-2": judge.Faster,
		"B/op Parse/small-2": judge.Slower, "B/op Parse/large-2": judge.Slower,
		"allocs/op Parse/small-2": judge.Slower, "allocs/op Parse/large-2": judge.Slower,
	})
	wants(0.3, map[string]judge.Word{
		"B/op Parse/small-2": judge.Slower, "B/op Parse/large-2": judge.Slower,
		"allocs/op Parse/small-2": judge.Slower, "allocs/op Parse/large-2": judge.Slower,
	})
}

func TestGatesOnFiles(t *testing.T) {
	outcomes := func(file string, gates ...string) map[gate.Outcome]int {
		r := Task{Paths: []string{"testdata/old.txt", "testdata/" + file}}
		for _, text := range gates {
			g, err := gate.ParseOf(text, measure.OfBenchmarks)
			if err != nil {
				t.Fatal(err)
			}
			r.Gates = append(r.Gates, g)
		}
		tables, err := Compare(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return tables.GateCount()
	}
	for _, c := range []struct {
		file, gate string
		// passed, failed, undecided of six comparisons in two packages, and of Gone, which the second file lacks
		want string
	}{
		{"new.txt", "time<+50%", "6 0 2"},
		{"new.txt", "allocs<=+1", "2 4 2"},
		{"new.txt", "time<+8%", "4 0 4"},
		{"few.txt", "allocs<=0", "6 0 2"},
	} {
		n := outcomes(c.file, c.gate)
		if got := fmt.Sprint(n[gate.Passed], n[gate.Failed], n[gate.Open]); got != c.want {
			t.Errorf("%s with %s: %s, want %s", c.gate, c.file, got, c.want)
		}
	}
}

func TestCompareRefusesBadInput(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(empty, []byte("PASS\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][]string{{"testdata/old.txt"}, {"testdata/old.txt", "missing.txt"},
		{empty, "label=" + empty}} {
		if _, err := Compare(t.Context(), Task{Paths: paths}); fail.ExitCode(err) != 2 || fail.HintOf(err) == "" {
			t.Errorf("%q: %v (exit %d), want bad input with a hint", paths, err, fail.ExitCode(err))
		}
	}
}

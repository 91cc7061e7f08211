package resultfiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// Task says which files of benchmark results to compare. Test.Alpha is the level of each test, and 1-Alpha the
// confidence of the intervals; 0 means judge.DefaultAlpha. It is shared by nothing: so does benchstat. Test.Delta is
// the change, as a fraction, from which on something counts as worse. Bench.Ignore are keys of the configuration, such
// as cpu, that do not set results apart.
type Task struct {
	spec.Test
	spec.Bench
	// Paths are the files, the first one is what the others are compared with. LABEL=PATH gives a file another name. At
	// least two.
	Paths []string
}

const nameFiles = "name files with the output of go test -bench, or of hone bench"

// Compare reads files of benchmark results and compares each with the first, benchmark by
// benchmark: medians with their order-statistic intervals, and the U test of Mann and
// Whitney, from the same library and grouped in the same way as benchstat does by default.
// Lines that cannot be read are warnings.
//
// Errors are fail.BadInput.
func Compare(ctx context.Context, r Task) (*benchmarks.Tables, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	r.Alpha = cmp.Or(r.Alpha, judge.DefaultAlpha)
	g, err := newGrouper(r.Ignore)
	if err != nil {
		return nil, err
	}
	out := &benchmarks.Tables{Schema: benchmarks.TablesSchema, Alpha: r.Alpha, Delta: r.Delta}
	var files resultFiles
	for _, in := range r.columns() {
		if ctx.Err() != nil {
			return nil, fail.New(fail.Interrupted, "interrupted")
		}
		file, err := files.read(in.path, in.label)
		if err != nil {
			return nil, err
		}
		if len(file.results) == 0 {
			return nil, noResults(in.path, file)
		}
		out.Warnings = append(out.Warnings, file.warnings...)
		out.Failures = append(out.Failures, file.failures...)
		for _, result := range file.results {
			g.add(result)
		}
	}
	if err := g.checkIgnored(r.Ignore); err != nil {
		return nil, err
	}
	g.finish(out, r, files.reader.Units())
	out.Apart = apart(out)
	out.OpenGates = openGates(out, r.Gates)
	return out, nil
}

// noResults is the error for a file without results, with the first thing that failed in it.
func noResults(path string, file *resultFile) error {
	if i := slices.IndexFunc(file.failures, func(f benchmarks.FileFailure) bool { return !f.Unread }); i >= 0 {
		return fail.New(fail.Subject, "there are no benchmark results in %s: %s", path, file.failures[i]).
			WithHint("repair it, and measure again")
	}
	if len(file.warnings) > 0 {
		return fail.New(fail.BadInput, "there are no benchmark results in %s: %s", path,
			file.warnings[0]).WithHint(nameFiles)
	}
	return fail.New(fail.BadInput, "there are no benchmark results in %s", path).WithHint(nameFiles)
}

// column is a file, and what it is called.
type column struct{ path, label string }

// columns are the files in their order. A file that is named twice has two names, as in benchstat:
// else its results would be one sample.
func (r Task) columns() []column {
	count, seen := map[string]int{}, map[string]int{}
	for _, path := range r.Paths {
		count[path]++
	}
	var out []column
	for _, path := range r.Paths {
		if label, file, labelled := strings.Cut(path, "="); labelled {
			out = append(out, column{file, label})
			continue
		}
		c := column{path, path}
		if count[path] > 1 {
			c.label = fmt.Sprintf("%s#%d", path, seen[path])
			seen[path]++
		}
		out = append(out, c)
	}
	return out
}

func (r Task) validate() error {
	if len(r.Paths) < 2 {
		return fail.New(fail.BadInput, "compare takes two or more files, got %d", len(r.Paths)).
			WithHint("hone bench compare old.txt new.txt; to measure, hone bench --vs REF")
	}
	if err := r.Test.Validate(); err != nil {
		return fail.New(fail.BadInput, "check request: %w", err)
	}
	for _, c := range r.columns() {
		if _, err := os.Stat(c.path); err != nil {
			return fail.New(fail.BadInput, "there is no file %s", c.path).WithHint(nameFiles)
		}
	}
	return nil
}

// grouper sorts results into tables, rows and columns, as benchstat does without flags.
type grouper struct {
	table, row, col, residue *benchproc.Projection
	unit                     *benchproc.Field
	tables                   map[benchproc.Key]*group
	keys                     map[string]bool // of the configuration of all results
}

// group is the values of one table.
type group struct {
	rows, cols map[benchproc.Key]bool
	cells      map[place]*values
}

type place struct{ row, col benchproc.Key }

type values struct {
	numbers []float64
	residue map[benchproc.Key]bool
}

// newGrouper makes a grouper for which the ignored keys do not set results apart.
func newGrouper(ignore []string) (*grouper, error) {
	all, err := benchproc.NewFilter("*")
	if err != nil {
		return nil, fmt.Errorf("make filter: %w", err)
	}
	g := &grouper{tables: map[benchproc.Key]*group{}, keys: map[string]bool{}}
	var p benchproc.ProjectionParser
	var errs [3]error
	g.table, g.unit, errs[0] = p.ParseWithUnit(".config", all)
	g.row, errs[1] = p.Parse(".fullname", all)
	g.col, errs[2] = p.Parse(".file", all)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("make projection: %w", err)
	}
	for _, key := range ignore {
		if _, err := p.Parse(key, all); err != nil {
			return nil, fail.New(fail.BadInput, "--ignore %s: %w", key,
				err).WithHint("name a key of the files, such as cpu")
		}
	}
	g.residue = p.Residue()
	return g, nil
}

func (g *grouper) add(r *benchfmt.Result) {
	for _, c := range r.Config {
		if c.File { // not hone's own .file
			g.keys[c.Key] = true
		}
	}
	at := place{g.row.Project(r), g.col.Project(r)}
	residue := g.residue.Project(r)
	for i, key := range g.table.ProjectValues(r) {
		t := g.tables[key]
		if t == nil {
			t = &group{rows: map[benchproc.Key]bool{}, cols: map[benchproc.Key]bool{}, cells: map[place]*values{}}
			g.tables[key] = t
		}
		v := t.cells[at]
		if v == nil {
			v = &values{residue: map[benchproc.Key]bool{}}
			t.cells[at], t.rows[at.row], t.cols[at.col] = v, true, true
		}
		v.numbers = append(v.numbers, r.Values[i].Value)
		v.residue[residue] = true
	}
}

// checkIgnored refuses keys that no result has: a mistake in writing would change nothing.
func (g *grouper) checkIgnored(ignore []string) error {
	for _, key := range ignore {
		if plain := !strings.HasPrefix(key, "/") && !strings.HasPrefix(key, "."); plain && !g.keys[key] {
			return fail.New(fail.BadInput, "--ignore %s: no result has this key", key).
				WithHint("the keys are %s", strings.Join(slices.Sorted(maps.Keys(g.keys)), ", "))
		}
	}
	return nil
}

// sorted are the keys in the order in which they were first seen.
func sorted[V any](set map[benchproc.Key]V) []benchproc.Key {
	keys := slices.Collect(maps.Keys(set))
	benchproc.SortKeys(keys)
	return keys
}

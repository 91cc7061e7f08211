// Package imported reads results that other tools measured as points of a series: files of github-action-benchmark
// (data.js), of Bencher (Bencher Metric Format), and of go test -bench and golang/perf (the Go benchmark format).
//
// Such a point has absolute values of single runs, no base and no ratios, and names its format: its chain is one of its
// own. Points that cannot be used, lines and fields are passed over, and named with their place in the file (Faults).
//
// A file of results in the Go format or in Bencher's says which commit it is of by a line "commit: HASH" (the Go format
// alone), or by a hash in its name, such as results-1a2b3c4.txt.
package imported

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// The formats, as points name them.
const (
	GitHubActionBenchmark = "github-action-benchmark"
	Bencher               = "bencher"
	GoBench               = "go test -bench"
)

// Options say what a file does not.
type Options struct {
	// Branch is that of the points.
	Branch string
	// Commit returns what the repository knows of a commit: its whole hash, its time, who wrote it. Nil, or false: what
	// the file says of it is kept.
	Commit func(hash string) (series.Commit, bool)
}

// Result is what a file has.
type Result struct {
	// Format is one of the formats above.
	Format string
	// Points are in the order of the file, one for each commit and machine.
	Points []series.Point
	// Faults are what was passed over: at most 100.
	Faults []series.Fault
}

const (
	mostFaults = 100
	// mostText is how many characters of a text of a stranger are kept.
	mostText = 200
	depth    = 20
)

// Read reads a file, whatever its format. The error is a bad input with its place, one over a bound, or of the reader.
func Read(ctx context.Context, r io.Reader, name string, o Options) (Result, error) {
	budget := inputs.Budget{Bytes: inputs.Imported, Values: inputs.ImportedValues, Depth: depth}
	m := budget.Start(ctx, name)
	text, err := io.ReadAll(inputs.Text(m.Reader(r)))
	if err != nil {
		return Result{}, fmt.Errorf("import %s: %w", name, err)
	}
	f := &file{name: name, meter: m, options: o, points: map[key]*series.Point{}}
	switch body, isScript := script(text); {
	case isScript:
		err = f.dataJS(text, len(text)-len(body))
	case !startsWith(text, '{'):
		err = f.goBench(text)
	case hasEntries(text):
		err = f.dataJS(text, 0)
	default:
		err = f.bencher(text)
	}
	if err != nil {
		return Result{}, err
	}
	points, err := f.finish()
	return Result{Format: f.format, Points: points, Faults: f.faults}, err
}

func startsWith(text []byte, c byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && text[0] == c
}

// file is one that is read.
type file struct {
	name    string
	meter   *inputs.Meter
	options Options
	format  string
	order   []key
	points  map[key]*series.Point
	faults  []series.Fault
}

type key struct{ commit, machine string }

// hash is a commit's, as git shows it: 7 digits and more.
var hash = regexp.MustCompile(`^[0-9a-fA-F]{7,64}$`)

// hashInName is a hash as a part of the name of a file.
var hashInName = regexp.MustCompile(`(?:^|[^0-9A-Za-z])([0-9a-f]{7,64})(?:[^0-9A-Za-z]|$)`)

// named is the commit that the name of the file has; "" without one.
func (f *file) named() string {
	base := path.Base(strings.ReplaceAll(f.name, `\`, "/"))
	for _, m := range hashInName.FindAllStringSubmatch(base, -1) {
		if strings.ContainsAny(m[1], "abcdef") || len(m[1]) == 40 { // a number is more likely a date
			return m[1]
		}
	}
	return ""
}

// fault notes what was passed over.
func (f *file) fault(line int, format string, args ...any) {
	if len(f.faults) < mostFaults {
		f.faults = append(f.faults, series.Fault{File: f.name, Line: line, Reason: fmt.Sprintf(format, args...)})
	}
}

// refuse is the error for a file that cannot be read.
func (f *file) refuse(line int, format string, args ...any) error {
	return fail.New(fail.BadInput, "%s:%d: %s", f.name, line, fmt.Sprintf(format, args...))
}

// point is the one of a commit; nil, and a fault, if it has no hash.
func (f *file) point(line int, c series.Commit, at time.Time, machine string) *series.Point {
	if !hash.MatchString(c.Hash) {
		f.fault(line, "%q is no hash of a commit", cut(c.Hash))
		return nil
	}
	c.Hash = strings.ToLower(c.Hash)
	if f.options.Commit != nil {
		if known, is := f.options.Commit(c.Hash); is {
			c = known
		}
	}
	k := key{c.Hash, machine}
	p := f.points[k]
	if p == nil {
		c.Author, c.Subject = cut(c.Author), cut(firstLine(c.Subject))
		if at.IsZero() {
			at = c.Time
		}
		p = &series.Point{At: at, Branch: f.options.Branch, Subject: series.Benchmarks, Commit: c, Machine: cut(machine), Imported: f.format}
		f.points[k] = p
		f.order = append(f.order, k)
	}
	return p
}

// add adds a value of a benchmark to a point, in a unit as go test prints it.
func (f *file) add(p *series.Point, line int, name, unit string, value float64) error {
	if err := f.meter.Spend(1); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 || name == "" || unit == "" {
		f.fault(line, "%v %s of %q is not a value of a benchmark", value, cut(unit), cut(name))
		return nil
	}
	m := measure.OfUnit(cut(unit))
	p.Values = append(p.Values, series.Value{Name: cut(name), Measure: m.Key, Unit: m.Unit, State: series.Measured, Absolute: value})
	return nil
}

// finish makes one value of several of the same measure, their median, and identifies the points.
func (f *file) finish() ([]series.Point, error) {
	points := make([]series.Point, 0, len(f.order))
	for _, k := range f.order {
		p := *f.points[k]
		if len(p.Values) == 0 {
			continue
		}
		p.Values = medians(p.Values)
		p, err := series.Identify(p)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", f.name, err)
		}
		points = append(points, p)
	}
	if len(points) == 0 {
		line := 1
		reason := "there is no result of a benchmark in it"
		if len(f.faults) > 0 {
			line, reason = max(1, f.faults[0].Line), f.faults[0].Reason
		}
		return nil, fail.New(fail.BadInput, "%s:%d: %s", f.name, line, reason).WithHint("hone track --import reads data.js of " +
			"github-action-benchmark, Bencher's JSON, and output of go test -bench with a line \"commit: HASH\" or a hash in the " +
			"name of the file")
	}
	return points, nil
}

// medians makes one value of several, in the order of the first of each.
func medians(all []series.Value) []series.Value {
	type measured struct{ name, measure string }
	at := map[measured]int{}
	var first []series.Value
	var values [][]float64
	for _, v := range all {
		k := measured{v.Name, v.Measure}
		i, known := at[k]
		if !known {
			i = len(first)
			at[k] = i
			first, values = append(first, v), append(values, nil)
		}
		values[i] = append(values[i], v.Absolute)
	}
	for i, v := range values {
		slices.Sort(v)
		first[i].Absolute = v[(len(v)-1)/2]/2 + v[len(v)/2]/2
	}
	return first
}

// nameOf is a benchmark as a series of hone names it: its package, a dot, and its name without Benchmark. Where a file
// does not say the package the name stands alone.
func nameOf(pkg, name string) string {
	name = strings.TrimPrefix(name, "Benchmark")
	if pkg == "" || name == "" {
		return name
	}
	return pkg + "." + name
}

// cut is the beginning of a stranger's text, as UTF-8.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= mostText {
		return text
	}
	return string([]rune(text)[:mostText])
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

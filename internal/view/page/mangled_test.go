package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/testkit/forgery"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// documents are those that the ledger keeps, by their schema.
var documents = map[string]any{
	record.RunSchema: &record.Run{}, record.ExecutionsSchema: &record.Executions{},
	loadtests.Schema: &loadtests.Document{}, record.CaptureSchema: &record.Captured{},
	record.ComparisonSchema: &record.Comparison{}, record.ExecutionsComparisonSchema: &record.Comparison{},
	benchmarks.Schema: &benchmarks.Result{}, commitsearch.Schema: &commitsearch.Result{},
}

// full is a document of a schema in which nothing is empty.
func full(t testing.TB, schema string, long int) []byte {
	t.Helper()
	v := reflect.New(reflect.TypeOf(documents[schema]).Elem())
	forgery.Filler{Long: long, Truth: true}.Fill(v.Elem())
	if d, is := v.Interface().(*loadtests.Document); is {
		d.Search.Limits = nil // a condition that was forged is refused when the document is read
	}
	v.Elem().FieldByName("Schema").SetString(schema)
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// shows runs all writers over a document as an archive may bring it, and fails where one panics, steers the terminal or
// writes far more than it has read.
func shows(t testing.TB, lib *Library, doc []byte, runs []*stored.Run) {
	t.Helper()
	var out bytes.Buffer
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%v\n%s", p, ownFrames(debug.Stack()))
		}
	}()
	text := func(write func(w io.Writer) error) {
		var b bytes.Buffer
		if write(printable.NewWriter(&b)) == nil {
			forgery.Check(t, b.String())
		}
		out.Write(b.Bytes())
	}
	page := func(p any, err error) {
		if err == nil {
			err = json.NewEncoder(&out).Encode(p)
		}
		_ = err // a page may refuse what makes no sense
	}
	row := ledger.Run{ID: comparisonID, Status: ledger.Complete, Doc: doc, Origin: &ledger.Origin{Host: "ci"}}
	if r, err := stored.RunOf(row); err == nil {
		runTexts(text, r)
		s := &storedRun{row: r.Row, record: r.Record}
		switch {
		case r.Load != nil:
			page(loadPage(r.Row, r.Load, nil), nil)
		case r.Once != nil:
			page(lib.onceRun(s, r.Once), nil)
		case r.Captures != nil:
			page(lib.capturedRun(s, r.Captures), nil)
		default:
			page(lib.loadedRun(s), nil)
		}
		page(entryOfRun(row), nil)
		page(r, nil)
	}
	of := ledger.Comparison{ID: comparisonID, Status: ledger.Complete, Doc: doc, Runs: runIDs}
	if c, err := stored.ComparisonOf(of); err == nil {
		c.Runs = runs
		comparisonTexts(text, c)
		page(lib.entryOfComparison(of))
		page(lib.comparison(c))
		page(c, nil)
	}
	if most := 1<<20 + 200*len(doc); out.Len() > most {
		t.Errorf("%d bytes are written of a document of %d", out.Len(), len(doc))
	}
}

// ownFrames are the first lines of a stack that lie in hone, up to this file.
func ownFrames(stack []byte) string {
	var own []string
	for line := range strings.Lines(string(stack)) {
		if _, at, ok := strings.Cut(line, "/internal/"); ok && strings.HasPrefix(line, "\t") &&
			!strings.Contains(at, "mangled_test.go") && len(own) < 4 {
			own = append(own, "internal/"+at)
		}
	}
	return strings.Join(own, "")
}

func runTexts(text func(func(w io.Writer) error), r *stored.Run) {
	switch {
	case r.Load != nil:
		text(func(w io.Writer) error { return report.Load(w, r.Load, nil, model.Full) })
		text(func(w io.Writer) error { return report.Load(w, r.Load, nil, model.Brief) })
	case r.Once != nil:
		text(func(w io.Writer) error { return report.Once(w, *r.Once, nil) })
	case r.Captures == nil:
		text(func(w io.Writer) error { return report.Run(w, r.Record, nil, model.Full) })
		text(func(w io.Writer) error { return report.Run(w, r.Record, nil, model.Brief) })
	}
}

func comparisonTexts(text func(func(w io.Writer) error), c *stored.Comparison) {
	switch {
	case c.Bench != nil:
		text(func(w io.Writer) error { return report.Bench(w, c.Bench) })
		text(func(w io.Writer) error { return report.BenchMarkdown(w, c.Bench) })
		text(func(w io.Writer) error { return report.BenchUnfinished(w, c.Bench, c.Row.Status, c.Row.Reason) })
		text(func(w io.Writer) error { return report.ComparisonCSV(w, bench.ComparisonOf(c.Bench)) })
		return
	case c.Bisect != nil:
		text(func(w io.Writer) error { return report.Bisect(w, c.Bisect) })
		text(func(w io.Writer) error { return report.BisectMarkdown(w, c.Bisect) })
		text(func(w io.Writer) error { return report.BisectUnfinished(w, c.Bisect, c.Row.Status, c.Row.Reason) })
		return
	}
	if c.OfExecutions() {
		text(func(w io.Writer) error { return report.OnceComparison(w, c.Record, c.Executions(), model.Full) })
		text(func(w io.Writer) error {
			return report.ComparisonCSV(w, model.OnceComparisonOf(c.Record, c.Executions(), model.Full))
		})
		return
	}
	runs := c.Records()
	text(func(w io.Writer) error { return report.Comparison(w, c.Record, runs, model.Full) })
	text(func(w io.Writer) error { return report.Comparison(w, c.Record, runs, model.Brief) })
	text(func(w io.Writer) error { return report.Markdown(w, c.Record, runs) })
	text(func(w io.Writer) error {
		return report.ComparisonCSV(w, model.ComparisonOf(c.Record, runs, model.Full))
	})
	if c.Record.Calibration != nil {
		text(func(w io.Writer) error { return report.CalibratedProgram(w, c.Record, runs) })
	}
}

// emptyLibrary is one without runs: pages find no profiles and no slices.
func emptyLibrary(t testing.TB) *Library {
	t.Helper()
	l, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &Library{Stored: &stored.Library{Ledger: l}}
}

const comparisonID = "0a1b2c3d"

var runIDs = []string{"1a1b2c3d", "2a1b2c3d"}

// runsFor are the runs that go with a comparison of this schema.
func runsFor(t testing.TB, schema string) (runs []*stored.Run) {
	t.Helper()
	doc := full(t, record.RunSchema, 1)
	if schema == record.ExecutionsComparisonSchema {
		doc = full(t, record.ExecutionsSchema, 1)
	}
	for _, id := range runIDs {
		r, err := stored.RunOf(ledger.Run{ID: id, Status: ledger.Complete, Comparison: comparisonID, Doc: doc})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	return runs
}

// A stranger's document may lack anything, and have any number: no writer of text, Markdown, CSV, JSON or pages takes
// it as whole.
func TestMangledDocuments(t *testing.T) {
	lib := emptyLibrary(t)
	for schema := range documents {
		t.Run(schema, func(t *testing.T) {
			doc, runs := full(t, schema, 1), runsFor(t, schema)
			shows(t, lib, doc, runs)
			shows(t, lib, []byte(fmt.Sprintf(`{"schema":%q}`, schema)), runs)
			n := 0
			mangle(doc, func(mangled []byte) {
				n++
				shows(t, lib, mangled, runs)
			})
			t.Logf("%d documents", n)
		})
	}
}

// mangle calls use with documents in which one value each is another one.
func mangle(doc []byte, use func([]byte)) {
	var root any
	if json.Unmarshal(doc, &root) != nil {
		return
	}
	say := func() {
		if text, err := json.Marshal(root); err == nil {
			use(text)
		}
	}
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		var others []any
		switch v := v.(type) {
		case map[string]any:
			others = []any{nil}
			for key := range v {
				walk(v[key], func(other any) { v[key] = other })
			}
		case []any:
			others = []any{[]any{}}
			for i := range v {
				walk(v[i], func(other any) { v[i] = other })
			}
		case float64:
			others = []any{-1}
		}
		for _, other := range others {
			set(other)
			say()
		}
		set(v)
	}
	walk(root, func(any) {})
}

// FuzzDocuments runs all writers over any document of the ledger's schemas.
func FuzzDocuments(f *testing.F) {
	for schema := range documents {
		f.Add(full(f, schema, 2))
		f.Add([]byte(fmt.Sprintf(`{"schema":%q}`, schema)))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		schema := stored.SchemaOf(doc)
		if _, known := documents[schema]; known && len(doc) < 1<<20 {
			shows(t, emptyLibrary(t), doc, runsFor(t, schema))
		}
	})
}

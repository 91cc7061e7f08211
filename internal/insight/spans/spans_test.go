package spans

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/wire/otlp"
)

// one is a span of service shop in trace t.
func one(id, parent, name string, kind otlp.Kind, start, end int64) otlp.Span {
	return otlp.Span{Service: "shop", Name: name, Kind: kind, TraceID: "t", ID: id, Parent: parent, Start: start,
		End: end}
}

func partOf(c walltime.Cohort, text string) walltime.Statement {
	for _, s := range c.Statements {
		if s.Text == text {
			return s
		}
	}
	return walltime.Statement{}
}

// A request is in the child that ended last; children that overlap share the time, and the rest is its own.
func TestCriticalPath(t *testing.T) {
	select1 := one("c", "a", "query", otlp.Client, 10, 40)
	select1.Attributes = map[string]string{"db.query.text": "SELECT a FROM t", "code.function.name": "main.list",
		"code.file.path": "/srv/list.go", "code.line.number": "7"}
	select2 := select1
	select2.ID, select2.Start, select2.End = "d", 30, 60
	other := one("e", "a", "GET /rate", otlp.Server, 70, 90)
	other.Service = "rates"
	root := one("a", "", "GET", otlp.Server, 0, 100)
	root.Attributes = map[string]string{"http.route": "/orders/{id}", "http.request.method": "GET"}
	var c Collector
	c.Add([]otlp.Span{select2, other, root, select1, one("b", "a", "render", otlp.Internal, 95, 99)}) // in no order
	d := c.Digest(0)
	if d.Requests != 2 || d.Spans != 5 || len(d.Endpoints) != 2 {
		t.Fatalf("%+v", d)
	}
	e := d.Endpoints[0]
	if e.Name != "GET /orders/{id}" || e.Service != "shop" || e.Requests != 1 || e.Typical.LatencyNanos != 100 {
		t.Fatalf("%+v", e)
	}
	for text, want := range map[string]walltime.Statement{
		"SELECT a FROM t":  {Nanos: 50, Calls: 2, Most: 2, Line: 7, File: "/srv/list.go", Function: "main.list"},
		"rates: GET /rate": {Nanos: 20, Calls: 1, Most: 1},
		"render":           {Nanos: 4, Calls: 1, Most: 1}, Itself: {Nanos: 26, Calls: 1, Most: 1},
	} {
		want.Text, want.Requests = text, 1
		if got := partOf(e.Slow, text); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// Whatever the spans are, the parts of a request add up to its time, and spans that are their own ancestors end
// nothing.
func TestPartsAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		var c Collector
		all := []otlp.Span{one("0", "", "root", otlp.Server, 1000, 2000)}
		for i := 1; i < 2+random.IntN(12); i++ {
			start := int64(800 + random.IntN(1300))
			all = append(all, one(fmt.Sprint(i), fmt.Sprint(random.IntN(12)), fmt.Sprint("n", random.IntN(4)),
				otlp.Kind(random.IntN(6)), start, start+int64(random.IntN(600))-50))
		}
		c.Add(all)
		for _, e := range c.Digest(0).Endpoints {
			for _, cohort := range []walltime.Cohort{e.Typical, e.Slow} {
				sum := 0.0
				for _, s := range cohort.Statements {
					sum += s.Nanos
				}
				if diff := sum - cohort.LatencyNanos; diff > 1e-6 || diff < -1e-6 {
					t.Fatalf("parts of %v, latency %v: %+v\n%+v", sum, cohort.LatencyNanos, all, cohort)
				}
			}
		}
	}
}

// What is beyond the bound is counted.
func TestSpansAreBounded(t *testing.T) {
	var c Collector
	batch := make([]otlp.Span, MostSpans/2+1)
	c.Add(batch)
	c.Add(batch)
	if d := c.Digest(0); d.Left != 2 || d.Spans != MostSpans+2 {
		t.Errorf("%d of %d are left", d.Left, d.Spans)
	}
}

// A span that was exported again changes nothing.
func TestSpansThatComeTwice(t *testing.T) {
	all := []otlp.Span{one("a", "", "GET /", otlp.Server, 0, 100), one("b", "a", "query", otlp.Client, 10, 50)}
	var once, twice Collector
	once.Add(all)
	twice.Add(all)
	twice.Add(all)
	if got, want := fmt.Sprintf("%+v", twice.Digest(0)), fmt.Sprintf("%+v", once.Digest(0)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

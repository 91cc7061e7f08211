package library

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"

	"github.com/gohone/hone/internal/text/fail"
)

// recorded is a store of so many series with a sample a second, from t on.
func recorded(t *testing.T, from time.Time, series, samples int) storage.Queryable {
	t.Helper()
	db, err := tsdb.Open(t.TempDir(), nil, nil, databaseOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	app := db.Appender(context.Background())
	for i := range series {
		l := labels.FromStrings("__name__", "requests_total", "run", "r1", "path", fmt.Sprint(i))
		for s := range samples {
			if _, err := app.Append(0, l, from.Add(time.Duration(s)*time.Second).UnixMilli(),
				float64(s*i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
	return db
}

var start = time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)

// doubled is label_replace around itself, each twice as long as the one inside.
func doubled(times int) string {
	e := `requests_total`
	for range times {
		e = `label_replace(` + e + `, "path", "$1$1", "path", "(.*)")`
	}
	return e
}

// Queries that would take gigabytes are refused before they are evaluated; the message
// says which part it is. Nothing of what they take stays.
func TestHostileQueries(t *testing.T) {
	q := recorded(t, start, 300, 120)
	end := start.Add(2 * time.Minute)
	for _, c := range []struct{ name, expr, want string }{
		{"a subquery of milliseconds", `count_over_time(vector(1)[30d:1ms])`,
			"24-24: 1: this part brings the query to about 2.59 billion"},
		{"a subquery of all series", `max_over_time({__name__=~".+"}[1d:1s])`, `15-30: {__name__=~".+"}: this part`},
		{"subqueries in subqueries", `sum_over_time(max_over_time(min_over_time(requests_total[1d:1s])[1d:1s])[1d:1s])`,
			"requests_total: this part"},
		{"a subquery far back", `max_over_time(requests_total[100y:1s] offset 100y)`, "requests_total: this part"},
		{"a subquery at a time", `max_over_time(vector(1)[10y:1ms] @ 0)`, "1: this part"},
		{"a label that doubles", doubled(25), "puts together labels of about"},
		{"labels joined many times over", `label_join(label_join(label_join(requests_total, "a", "", ` +
			strings.Repeat(`"path",`, 60) + `"run"), "a", "", ` +
			strings.Repeat(`"a",`, 60) + `"run"), "a", "", ` + strings.Repeat(`"a",`, 60) + `"run")`,
			"puts together labels of about"},
		{"every value a series", `count_values("v", max_over_time(requests_total[1m:1s]) + ` +
			strings.Repeat(`requests_total + `, 200) + `1)`, "at most"},
		{"many times the same", strings.TrimSuffix(strings.Repeat(`max_over_time(requests_total[5s:1ms]) or `, 20),
			" or "), "at most 4 million"},
		{"a long text", `"` + strings.Repeat("a", 1<<20) + `"`, "too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEngine(Usual)
			peak := peakHeap(func() {
				_, err := Over(context.Background(), e, q, c.expr, start, end, time.Second)
				if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %.300v, want one with %q", err, c.want)
				}
			})
			if limit := uint64(64 << 20); peak > limit {
				t.Errorf("%d MB of memory at once, want at most %d", peak>>20, limit>>20)
			}
		})
	}
}

// The largest query that is admitted keeps to the memory that Usual promises.
func TestALargeQueryKeepsToItsMemory(t *testing.T) {
	q := recorded(t, start, 300, 120)
	e := NewEngine(Usual)
	peak := peakHeap(func() {
		a, err := Over(context.Background(), e, q, `max_over_time(requests_total[5s:1ms]) + 0`, start,
			start.Add(5*time.Second), time.Second)
		if err != nil || len(a.Series) != 300 {
			t.Errorf("%d series: %v", len(a.Series), err)
		}
	})
	if limit := uint64(400 << 20); peak > limit {
		t.Errorf("%d MB of memory at once, want at most %d", peak>>20, limit>>20)
	}
}

// A query that would take more is refused, and the error is that of
// Prometheus' API for queries that are too large.
func TestQueriesAreBounded(t *testing.T) {
	q := recorded(t, start, 300, 120)
	e := NewEngine(Bounds{Points: 1_000_000, Timeout: 5 * time.Second})
	for expr, refused := range map[string]bool{`sum(rate(requests_total[30s]))`: false, `requests_total`: false,
		`max_over_time(requests_total[10s:1ms])`: true} {
		_, err := Over(context.Background(), e, q, expr, start, start.Add(2*time.Minute), time.Second)
		var large promql.ErrTooManySamples
		if (err != nil) != refused || refused && !errors.As(err, &large) {
			t.Errorf("%s: %v, refused %v", expr, err, refused)
		}
	}
}

// Queries wait for each other's points, and give them back however they end.
func TestQueriesShareTheirPoints(t *testing.T) {
	p := newPoints(10)
	ctx, cancel := context.WithCancel(context.Background())
	if err := p.take(ctx, 8); err != nil {
		t.Fatal(err)
	}
	large := make(chan error)
	go func() { large <- p.take(ctx, 5) }() // ends with cancel
	waitFor(t, "the large query in the queue", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.waiting) == 1
	})
	cancel()
	if err := <-large; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
	p.release(8)
	if err := p.take(context.Background(), 10); err != nil || p.left != 0 {
		t.Errorf("%v, %d left: points were lost", err, p.left)
	}
}

// peakHeap returns by how much the heap grew at most while f ran.
func peakHeap(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	done, peak := make(chan struct{}), make(chan uint64)
	go func() { // ends with done
		most := uint64(0)
		for {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	return max(<-peak, before.HeapAlloc) - before.HeapAlloc
}

package library

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/prometheus/prometheus/storage"
)

// GC is what a Go program's own metrics say of its collector between two moments: those
// that client_golang's default collector shows. NaN is what they do not say.
type GC struct {
	At           time.Time `json:"at"` // its end
	Requests     Number    `json:"requests_per_second"`
	Cycles       Number    `json:"gc_cycles_per_second"`
	Share        Number    `json:"gc_cpu_share"` // of the CPU time in use, 0 to 1
	MeanPause    Number    `json:"gc_mean_pause_seconds"`
	HeapInUse    Number    `json:"heap_alloc_bytes"`
	HeapGoal     Number    `json:"heap_goal_bytes"`
	AllocBytes   Number    `json:"alloc_bytes_per_second"`
	Goroutines   Number    `json:"goroutines"`
	LongestPause Number    `json:"gc_longest_pause_seconds"` // of the latest cycles
}

// gcColumns are the expressions behind GC. [W] stands for the window of rates.
var gcColumns = []struct {
	expr string
	set  func(*GC, Number)
}{
	{`sum(rate(hone_load_requests_answered_total[W]))`, func(g *GC, n Number) { g.Requests = n }},
	{`sum(rate(go_gc_duration_seconds_count{job="subject"}[W]))`, func(g *GC, n Number) { g.Cycles = n }},
	{
		`sum(rate(go_cpu_classes_gc_total_cpu_seconds_total{job="subject"}[W])) / (sum(rate(go_cpu_classes_total_cpu_seconds_total{job="subject"}[W])) - sum(rate(go_cpu_classes_idle_cpu_seconds_total{job="subject"}[W])))`,
		func(g *GC, n Number) { g.Share = n },
	},
	{`sum(rate(go_gc_duration_seconds_sum{job="subject"}[W])) / sum(rate(go_gc_duration_seconds_count{job="subject"}[W]))`,
		func(g *GC, n Number) {
			g.MeanPause = n
		}},
	{`max(go_gc_duration_seconds{job="subject",quantile=~"1|1.0"})`, func(g *GC, n Number) { g.LongestPause = n }},
	{`sum(go_memstats_heap_alloc_bytes{job="subject"})`, func(g *GC, n Number) { g.HeapInUse = n }},
	{`sum(go_memstats_next_gc_bytes{job="subject"})`, func(g *GC, n Number) { g.HeapGoal = n }},
	{`sum(rate(go_memstats_alloc_bytes_total{job="subject"}[W]))`, func(g *GC, n Number) { g.AllocBytes = n }},
	{`sum(go_goroutines{job="subject"})`, func(g *GC, n Number) { g.Goroutines = n }},
}

// GCTimeline reads at most rows moments between from and to; none for a program that
// shows no metrics of Go.
func GCTimeline(ctx context.Context, e *Engine, q storage.Queryable, from, to time.Time, rows int) ([]GC, error) {
	step := max(time.Second, (to.Sub(from)/time.Duration(max(1, rows))).Truncate(time.Second)+time.Second)
	window := (2 * step).String()
	var line []GC
	for at := from.Add(step); ; at = at.Add(step) {
		last := !at.Before(to)
		if last {
			at = to
		}
		g, known := GC{At: at}, false
		for _, c := range gcColumns {
			value, err := single(ctx, e, q, strings.ReplaceAll(c.expr, "[W]", "["+window+"]"), at)
			if err != nil {
				return nil, err
			}
			known = known || !math.IsNaN(float64(value)) && c.expr != gcColumns[0].expr
			c.set(&g, value)
		}
		if known {
			line = append(line, g)
		}
		if last {
			return line, nil
		}
	}
}

// single is the one value of an expression, or NaN.
func single(ctx context.Context, e *Engine, q storage.Queryable, expr string, at time.Time) (Number, error) {
	a, err := At(ctx, e, q, expr, at)
	if err != nil || len(a.Series) != 1 {
		return Number(math.NaN()), err
	}
	return a.Series[0].Points[0].Value, nil
}

package report

import (
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/load"
)

// named is the name of a line: that of the recording only where there are several.
func named(all []plotData, d plotData, what string) string {
	if len(all) == 1 {
		return what
	}
	return d.name + ": " + what
}

// percentileChart is latency over the share of requests that were at most as slow, on the
// axis of HdrHistogram's plots: 1/(1-p), logarithmic, so that each nine takes equal room.
func percentileChart(all []plotData) chart {
	c := chart{title: "Latency by percentile", note: "How slow the slowest requests are: each step to the right is one more nine",
		x: scale{low: 1, high: 100, log: true, nines: true, label: axisPercentile}}
	low, high := math.Inf(1), 1.0
	c.table.Head = []string{"percentile"}
	var columns []*recording.Latency
	add := func(d plotData, what, style string, h *hdrhistogram.Histogram, l recording.Latency) {
		if h == nil || h.TotalCount() == 0 {
			return
		}
		name := named(all, d, what)
		s := series{name: name, class: d.class, style: style, points: percentilePoints(name, h)}
		if len(all) == 1 && style == "dash" {
			s.class = "s1" // the colour is free
		}
		c.series = append(c.series, s)
		c.x.high = math.Max(c.x.high, s.points[len(s.points)-1].x)
		low, high = math.Min(low, s.points[0].y), math.Max(high, s.points[len(s.points)-1].y)
		c.table.Head = append(c.table.Head, name)
		columns = append(columns, &l)
	}
	for _, d := range all {
		if d.summary.Loop == "open" {
			add(d, "response time", "line", d.tally.Latency(), d.summary.Latency)
			add(d, "service time", "dash", d.tally.Service, d.summary.Latencies.Service)
		} else {
			add(d, "service time", "line", d.tally.Latency(), d.summary.Latency)
		}
	}
	c.y = latencyScale(math.Min(low, high), high)
	for i, q := range (recording.Latency{}).Quantiles() {
		row := []string{q.Name}
		for _, l := range columns {
			row = append(row, quantileText(l.Quantiles()[i]))
		}
		c.table.Rows = append(c.table.Rows, row)
	}
	return c
}

// percentileTicks is the number of points for each halving of the distance to 100 %.
const percentileTicks = 8

func percentilePoints(name string, h *hdrhistogram.Histogram) []point {
	var out []point
	total := float64(h.TotalCount())
	for _, b := range h.CumulativeDistributionWithTicks(percentileTicks) {
		x := total // the slowest request stands for the last 1/total
		if b.Quantile < 100 {
			x = math.Min(x, 1/(1-b.Quantile/100))
		}
		text := fmt.Sprintf("%s: %s %% within %s", name, axisNumberPercent(100*(1-1/x)), units.Nanos(float64(b.ValueAt)))
		if x == total {
			text = fmt.Sprintf("%s: max %s", name, units.Nanos(float64(b.ValueAt)))
		}
		out = append(out, point{x, float64(b.ValueAt), text})
	}
	return out
}

// axisNumberPercent writes a percentage with as many nines as it has.
func axisNumberPercent(p float64) string {
	places := 1
	if p > 90 {
		places = min(6, 1+int(math.Ceil(-math.Log10(1-p/100))))
	}
	return fmt.Sprintf("%.*f", places, p)
}

// rateChart is the rate asked for and reached over time, with a cross where requests
// failed.
func rateChart(all []plotData) chart {
	c := chart{title: "Rate over time", note: "Requests answered right per second; a cross marks an interval with errors",
		x:     timeScale(all),
		table: table{Head: []string{"recording", "from", "asked", "sent", "answered right", "failed"}}}
	high := 1.0
	for _, d := range all {
		asked := series{name: named(all, d, "asked"), class: d.class, style: "asked", steps: true}
		got := series{name: named(all, d, "answered right"), class: d.class, style: "line"}
		bad := series{name: named(all, d, "errors"), class: d.class, style: "line", marks: true}
		for _, r := range d.rows {
			at := middle(r)
			from := axisSeconds(tenth(r.Offset.Seconds()))
			c.table.Rows = append(c.table.Rows, []string{d.name, from, units.Rate(r.AskedHz), units.Rate(r.SentHz), units.Rate(r.AchievedHz), units.Count(r.Failed)})
			if r.Draining >= r.Duration {
				continue // nothing was sent: no rate to speak of
			}
			high = math.Max(high, math.Max(r.AskedHz, r.AchievedHz))
			got.points = append(got.points, point{at, r.AchievedHz, fmt.Sprintf("%s: %s at %s", got.name, units.Rate(r.AchievedHz), axisSeconds(tenth(at)))})
			if d.summary.Loop == "open" {
				asked.points = append(asked.points, point{r.Offset.Seconds(), r.AskedHz, fmt.Sprintf("%s: %s", asked.name, units.Rate(r.AskedHz))})
			}
			if r.Failed > 0 {
				bad.points = append(bad.points, point{at, r.AchievedHz, fmt.Sprintf("%s: %s from %s", bad.name, units.Count(r.Failed), from)})
			}
		}
		if n := len(asked.points); n > 0 { // the last one holds to the end
			asked.points = append(asked.points, point{end(d.rows).Seconds(), asked.points[n-1].y, ""})
		}
		c.series = append(c.series, asked, got, bad)
	}
	c.y = scale{low: 0, high: high * 1.1, label: axisRate}
	return c
}

// latencyChart is latency over time.
func latencyChart(all []plotData) chart {
	c := chart{title: "Latency over time", note: "Median, p99 and maximum of each interval",
		x:     timeScale(all),
		table: table{Head: []string{"recording", "from", "requests", "p50", "p99", "p99.9", "max", "service p99", "lag p99"}}}
	low, high := math.Inf(1), 1.0
	for _, d := range all {
		lines := []series{
			{name: named(all, d, "max"), class: d.class, style: "thin"},
			{name: named(all, d, "p99"), class: d.class, style: "line"},
			{name: named(all, d, "p50"), class: d.class, style: "dot"},
		}
		for _, r := range d.rows {
			l := r.Latency
			from := axisSeconds(tenth(r.Offset.Seconds()))
			c.table.Rows = append(c.table.Rows, []string{d.name, from, units.Count(uint64(l.Count)), percentileText(l.P50, 50, l.Count), percentileText(l.P99, 99, l.Count),
				percentileText(l.P999, 99.9, l.Count), units.Nanos(float64(l.Max)), units.Nanos(float64(r.ServiceP99)), units.Nanos(float64(r.LagP99))})
			if l.Count == 0 {
				continue
			}
			low, high = math.Min(low, float64(l.P50)), math.Max(high, float64(l.Max))
			for i, v := range []time.Duration{l.Max, l.P99, l.P50} {
				lines[i].points = append(lines[i].points, point{middle(r), float64(v), fmt.Sprintf("%s: %s from %s", lines[i].name, units.Nanos(float64(v)), from)})
			}
		}
		c.series = append(c.series, lines...)
	}
	c.y = latencyScale(math.Min(low, high), high)
	return c
}

// histogramBins is the number of bars of the histogram.
const histogramBins = 48

// histogramChart is the share of the requests by latency, in classes of equal ratio.
func histogramChart(all []plotData) chart {
	c := chart{title: "Latency histogram", note: "Share of the requests in classes of equal ratio; the scale of the latency is logarithmic",
		table: table{Head: []string{"from", "to below"}}}
	low, high := math.Inf(1), 1.0
	for _, d := range all {
		if d.summary.Latency.Count > 0 {
			low = math.Min(low, math.Max(1, float64(d.summary.Latency.Min)))
			high = math.Max(high, float64(d.summary.Latency.Max))
		}
	}
	low = math.Min(low, high)
	high = math.Max(high, low*1.1) * 1.0001
	c.x = scale{low: low, high: high, log: true, label: axisNanos}
	border := func(i int) float64 { return low * math.Pow(high/low, float64(i)/histogramBins) }
	for i := range histogramBins {
		c.table.Rows = append(c.table.Rows, []string{units.Nanos(border(i)), units.Nanos(border(i + 1))})
	}
	most := 0.01
	for _, d := range all {
		s := series{name: named(all, d, headline(d.summary)), class: d.class, style: "area", steps: true}
		var counts [histogramBins]int64
		h := d.tally.Latency()
		if h == nil || h.TotalCount() == 0 {
			continue
		}
		for _, bar := range load.Bars(h) {
			i := int(math.Log(math.Max(low, float64(bar.From))/low) / math.Log(high/low) * histogramBins)
			counts[min(i, histogramBins-1)] += bar.Count
		}
		s.points = append(s.points, point{x: low})
		c.table.Head = append(c.table.Head, s.name)
		for i, n := range counts {
			part := float64(n) / float64(h.TotalCount())
			most = math.Max(most, part)
			s.points = append(s.points, point{border(i), part, fmt.Sprintf("%s: %s requests (%.2f %%) from %s to %s",
				s.name, units.Count(uint64(n)), 100*part, units.Nanos(border(i)), units.Nanos(border(i+1)))})
			c.table.Rows[i] = append(c.table.Rows[i], units.Count(uint64(n)))
		}
		s.points = append(s.points, point{x: high})
		c.series = append(c.series, s)
	}
	c.y = scale{low: 0, high: most * 1.1, label: func(v float64) string { return axisNumber(100*v) + " %" }}
	return c
}

func middle(r recording.Row) float64 { return (r.Offset + (r.Duration-r.Draining)/2).Seconds() }

// end is where the last row ends.
func end(rows []recording.Row) time.Duration {
	var last time.Duration
	for _, r := range rows {
		last = max(last, r.Offset+r.Duration-r.Draining)
	}
	return last
}

func timeScale(all []plotData) scale {
	s := scale{high: 0.001, label: axisSeconds}
	for _, d := range all {
		s.high = math.Max(s.high, end(d.rows).Seconds())
	}
	return s
}

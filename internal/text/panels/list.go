package panels

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

// list is a block of names with numbers.
type list struct {
	label string
	help  string
	role  role
	// entries are those of a reading, a number and a name each.
	entries func(*vitals.Reading) [][2]string
}

var (
	causes = &list{
		label: "errors", help: "failed requests so far, by cause", role: accent,
		entries: func(r *vitals.Reading) (all [][2]string) {
			for _, c := range r.Causes {
				all = append(all, [2]string{units.Count(c.Count), c.Name})
			}
			return all
		},
	}
	busiest = &list{
		label: "busiest", help: "the counters of /metrics that count fastest",
		entries: func(r *vitals.Reading) (all [][2]string) {
			for _, c := range r.Rates {
				all = append(all, [2]string{units.Rate(c.PerSec), c.Name})
			}
			return all
		},
	}
	durations = &list{
		label: "durations", help: "the histograms of durations of /metrics that count fastest",
		entries: func(r *vitals.Reading) (all [][2]string) {
			for _, l := range r.Latencies {
				p50, _ := l.P50Seconds.Get()
				p99, known := l.P99Seconds.Get()
				text := "idle"
				if known {
					u := units.Nanoseconds.Pick(p50*1e9, p99*1e9)
					text = fmt.Sprintf("p50 %s p99 %s %s", units.Digits(p50*1e9/u.Scale), units.Digits(p99*1e9/u.Scale),
						u.Name)
				}
				all = append(all, [2]string{text, l.Name})
			}
			return all
		},
	}
)

// latest are the newest entries that there are, and how old they are.
func (l *list) latest(h *vitals.History) (all [][2]string, age time.Duration) {
	for i := h.Len() - 1; i >= 0; i-- {
		if all := l.entries(h.At(i)); len(all) > 0 {
			return all, h.Last().At.Sub(h.At(i).At)
		}
	}
	return nil, 0
}

// block is nil where there are no entries.
func (l *list) block(rank int, label string, h *vitals.History) *block {
	all, age := l.latest(h)
	if len(all) == 0 {
		return nil
	}
	role, number := l.role, strong
	if age > 0 { // not what is now
		role, number = faint, faint
		all[0][1] += "  " + ago(age)
	}
	return &block{rank: rank, least: 1, most: len(all), list: true, draw: func(f frame, height int) []line {
		if height == 1 && len(all) > 1 {
			var parts []string
			for _, e := range all {
				parts = append(parts, e[0]+" "+printable.Line(e[1]))
			}
			return []line{slices.Concat(line{{plain, label}}.fit(f.label),
				line{{role, strings.Join(parts, ", ")}}.fit(f.width-f.label))}
		}
		wide := 0
		for _, e := range all {
			wide = max(wide, len(e[0]))
		}
		var lines []line
		for i, e := range all[:height] {
			name := ""
			if i == 0 {
				name = label
			}
			lines = append(lines, slices.Concat(line{{plain, name}}.fit(f.label),
				line{{number, fmt.Sprintf("%*s  ", wide, e[0])}, {role, printable.Line(e[1])}}.fit(f.width-f.label)))
		}
		return lines
	}}
}

package panels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/internal/vitals"
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
					text = fmt.Sprintf("p50 %s p99 %s %s", units.Digits(p50*1e9/u.Scale), units.Digits(p99*1e9/u.Scale), u.Name)
				}
				all = append(all, [2]string{text, l.Name})
			}
			return all
		},
	}
)

// latest are the newest entries that there are.
func (l *list) latest(h *vitals.History) [][2]string {
	for i := h.Len() - 1; i >= 0; i-- {
		if all := l.entries(h.At(i)); len(all) > 0 {
			return all
		}
	}
	return nil
}

// block is nil where there are no entries.
func (l *list) block(rank int, h *vitals.History) *block {
	all := l.latest(h)
	if len(all) == 0 {
		return nil
	}
	return &block{rank: rank, least: 1, most: len(all), list: true, draw: func(f frame, height int) []line {
		if height == 1 && len(all) > 1 {
			var parts []string
			for _, e := range all {
				parts = append(parts, e[0]+" "+Clean(e[1]))
			}
			return []line{slices.Concat(line{{plain, l.label}}.fit(f.label), line{{l.role, strings.Join(parts, ", ")}}.fit(f.width-f.label))}
		}
		wide := 0
		for _, e := range all {
			wide = max(wide, len(e[0]))
		}
		var lines []line
		for i, e := range all[:height] {
			label := ""
			if i == 0 {
				label = l.label
			}
			number := fmt.Sprintf("%*s  ", wide, e[0])
			lines = append(lines, slices.Concat(line{{plain, label}}.fit(f.label),
				line{{strong, number}, {l.role, Clean(e[1])}}.fit(f.width-f.label)))
		}
		return lines
	}}
}

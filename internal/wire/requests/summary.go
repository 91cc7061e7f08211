package requests

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// shownEndpoints is how many endpoints a summary names.
const shownEndpoints = 5

// Summary says what was taken from a file and what was left out, a line each. name is the
// file's, what says in a word what an entry is.
func (l *List) Summary(name, what string) []string {
	taken := l.Taken()
	line := fmt.Sprintf("%s: %s of %s %s taken, %s different", name, units.Count(uint64(taken)),
		units.Count(uint64(l.Found)), what, units.Count(uint64(len(l.Requests))))
	if n := len(l.Moments); n > 1 && l.Moments[n-1] > 0 {
		line += fmt.Sprintf(", over %s", l.Moments[n-1].Round(time.Millisecond))
	}
	lines := []string{line}
	lines = append(lines, l.endpoints()...)
	for _, r := range l.LeftOut {
		lines = append(lines, fmt.Sprintf("  left out: %s %s", units.Count(uint64(r.Count)), r.Why))
	}
	if l.Spread && l.Moments != nil {
		lines = append(lines, "  its times are whole seconds: the requests of a second are spread over it evenly")
	}
	for _, note := range l.Notes {
		lines = append(lines, "  "+note)
	}
	return lines
}

// endpoints says how often each endpoint is asked, a line each.
func (l *List) endpoints() (lines []string) {
	type endpoint struct {
		name             string
		weight, requests int
	}
	var all []endpoint
	at, sum := map[string]int{}, 0
	for _, r := range l.Requests {
		name := r.Method + " " + Endpoint(r.Path)
		i, known := at[name]
		if !known {
			i, at[name] = len(all), len(all)
			all = append(all, endpoint{name: r.Method + " " + shortPath(r.Path)})
		} else if all[i].requests == 1 {
			all[i].name = r.Method + " " + shortPath(Endpoint(r.Path))
		}
		all[i].requests++
		all[i].weight += max(1, r.Weight)
		sum += max(1, r.Weight)
	}
	slices.SortStableFunc(all, func(a, b endpoint) int { return b.weight - a.weight })
	for i, e := range all {
		if i == shownEndpoints && len(all) > shownEndpoints+1 {
			return append(lines, fmt.Sprintf("         and %s more", units.Count(uint64(len(all)-i))))
		}
		line := fmt.Sprintf("  %5.1f %%  %s", 100*float64(e.weight)/float64(sum), printable.Line(e.name))
		if e.requests > 1 {
			line += fmt.Sprintf(" (%s different)", units.Count(uint64(e.requests)))
		}
		lines = append(lines, line)
	}
	return lines
}

// Endpoint is a path without its query, in which {} stands for what is different in each request: numbers, and long
// words with digits, such as UUIDs and hashes.
func Endpoint(path string) string {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		digits := 0
		for _, c := range part {
			if c >= '0' && c <= '9' {
				digits++
			}
		}
		if digits > 0 && (digits == len(part) || len(part) >= 8 && 5*digits >= len(part)) {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}

// shortPath is a path without its query, whose values may be secrets.
func shortPath(path string) string {
	path, query, asks := strings.Cut(path, "?")
	if len(path) > 80 {
		path = path[:80] + "..."
	}
	if asks && query != "" {
		path += "?..."
	}
	return path
}

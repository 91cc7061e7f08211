package requests

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// shownRequests is how many requests a summary names.
const shownRequests = 5

// Summary says what was taken from a file and what was left out, a line each. name is the
// file's, what says in a word what an entry is.
func (l *List) Summary(name, what string) []string {
	taken := l.Taken()
	line := fmt.Sprintf("%s: %s of %s %s taken, %s different", name, units.Count(uint64(taken)), units.Count(uint64(l.Found)), what, units.Count(uint64(len(l.Requests))))
	if n := len(l.Moments); n > 1 && l.Moments[n-1] > 0 {
		line += fmt.Sprintf(", over %s", l.Moments[n-1].Round(time.Millisecond))
	}
	lines := []string{line}
	sum := 0
	for _, r := range l.Requests {
		sum += max(1, r.Weight)
	}
	for i, r := range l.Requests {
		if i == shownRequests && len(l.Requests) > shownRequests+1 {
			lines = append(lines, fmt.Sprintf("         and %s more", units.Count(uint64(len(l.Requests)-i))))
			break
		}
		share := ""
		if sum > 0 {
			share = fmt.Sprintf("%5.1f %%  ", 100*float64(max(1, r.Weight))/float64(sum))
		}
		lines = append(lines, "  "+share+r.Method+" "+printable.Line(shortPath(r.Path)))
	}
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

package model

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// NonEmpty are the parts that are not empty.
func NonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// Share writes a fraction as a percentage that says 100 only when it is.
func Share(f float64) string {
	if f < 1 {
		return fmt.Sprintf("%.4g", math.Min(99.99, 100*f))
	}
	return "100"
}

// Connections says how many connections there are and how they are used.
func Connections(p load.Plan) string {
	each := "each with 1 request at a time"
	if p.Connections == 1 {
		each = "1 request at a time"
	}
	if p.Depth > 1 {
		each = strings.Replace(each, "1 request at a time", fmt.Sprintf("up to %d requests outstanding", p.Depth), 1)
	}
	return fmt.Sprintf("%s, %s (depth %d)", units.Plural(max(0, p.Connections), "connection"), each, max(1, p.Depth))
}

// Causes has a row for each cause of failures, the most frequent first and causes of equal counts by their names; wrong
// statuses are named.
func Causes(causes map[string]uint64, statuses load.Statuses) []Row {
	var all []Row
	for _, name := range slices.SortedFunc(maps.Keys(causes), func(x, y string) int {
		return cmp.Or(cmp.Compare(causes[y], causes[x]), cmp.Compare(x, y))
	}) {
		text := units.Count(causes[name]) + statuses.Of(name)
		if name == load.Refused.String() { // the others add up to the requests that failed
			text += " connects, which are no requests"
		}
		all = append(all, Row{Name: name, Text: text, Tone: Bad})
	}
	return all
}

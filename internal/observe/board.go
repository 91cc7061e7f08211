package observe

import (
	"strings"
	"time"
)

// board is one dashboard as data.
type board struct {
	// uid is the dashboard's address in Grafana, and the name of its file.
	uid string
	// title and about are what its list of dashboards shows.
	title, about string
	// anchor is a metric that is there whenever the dashboard has anything to show: the
	// variables job and instance offer the values of its labels.
	anchor string
	// job is the value that the variable job starts with.
	job  string
	rows []row
}

// row is a line of panels under a heading.
type row struct {
	title  string
	panels []panel
}

// panel is one chart.
type panel struct {
	title string
	// about says what is shown and what to look for. Every panel has it.
	about string
	// unit is Grafana's name of the axis' unit (package units of the SDK), label the words
	// beside the axis.
	unit, label string
	shape       shape
	// width is in Grafana's columns, 24 to a row; 0 means 8.
	width uint32
	// signed says that values below 0 are shown; other panels begin at 0.
	signed bool
	// limit draws a dashed line, where a rule of this package begins to warn; 0 means none.
	limit float64
	// series are the values of the label that {{LABEL}} in a legend shows, in the order in
	// which they get their colours. Others are shades of one colour.
	series  []string
	queries []query
}

// shape is how a panel draws.
type shape int

const (
	lines shape = iota
	stack       // lines on top of each other, which add up
	gauge       // one number on a dial
)

// query is one expression of a panel. In expr two abbreviations keep what matters
// legible, see expand:
//
//	metric{@}         the chosen run, job and instance
//	rate(metric[@])   over Grafana's own window for rates
type query struct {
	expr, legend string
}

// rateWindow is Grafana's variable for a window that always has enough scrapes in it.
const rateWindow = "$__rate_interval"

// chosen are the matchers of the dashboards' variables. A real Prometheus knows no run;
// there the variable is ".*", which matches the empty label, too.
const chosen = `run=~"$run",job="$job",instance="$instance"`

// expand writes an expression out. published is the fixed window of the published panels.
func expand(expr string, published time.Duration) string {
	return strings.NewReplacer(
		"{@", "{"+chosen,
		"[@]", "["+rateWindow+"]",
		"[published]", "["+promDuration(published)+"]",
	).Replace(expr)
}

// boards are the dashboards, in the order in which they are written, for a service that shows
// these metrics.
func boards(service []Family) []board {
	return append(serviceBoards(service), nodeBoard(), goBoard(), honeBoard())
}

package observe

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The dashboards by their uid, which is also the name of their file. All but the service's
// are JSON as Grafana exports it, in the classic form, which older releases of Grafana read
// too: change one in Grafana, export it and store it here.
const (
	framedDashboard  = "hone-framed"
	serviceDashboard = "hone-service" // made of the metrics that the service shows
)

var commonDashboards = []string{"hone-node", "hone-go-runtime", "hone-runs"}

// publishedWindow is the window of the published panels at the default interval.
const publishedWindow = "[15s]"

// home is the uid of the dashboard of the service. A service that shows the metrics of the
// framed server has the dashboard that was made for it.
func home(all []Family) string {
	if isFramed(all) {
		return framedDashboard
	}
	return serviceDashboard
}

// isFramed says that the metrics are those of the framed server.
func isFramed(all []Family) bool {
	return has(all, "framed_requests_received_total") && has(all, "framed_client_connected")
}

// dashboard is the text of one dashboard.
func (s Stack) dashboard(uid string) ([]byte, error) {
	if uid == serviceDashboard {
		return fill("service.json", serviceBoard(s.Families))
	}
	text, err := stackFiles.ReadFile("stack/dashboards/" + uid + ".json")
	window := "[" + promDuration(windowScrapes*s.Interval) + "]"
	return bytes.ReplaceAll(text, []byte(publishedWindow), []byte(window)), err
}

// palette are the colours of lines in turn: those of Okabe and Ito that can be told
// apart by people with any of the common forms of colour blindness, and that stand out
// both on white and on Grafana's dark grey ("Color Universal Design", 2008; their yellow
// and black do not).
var palette = []string{"#0072B2", "#E69F00", "#56B4E9", "#CC79A7", "#009E73", "#999999", "#D55E00"}

// board is what stack/service.json is filled with.
type board struct {
	// About is what Grafana's list of dashboards shows.
	About string
	// Anchor is a metric that exists whenever the dashboard has anything to show: the
	// variables job and instance offer the values of its labels.
	Anchor  string
	Panels  []panel
	Palette []string
}

// panel is one chart, or the heading of a row of charts.
type panel struct {
	IsRow bool
	Title string
	// About says what is shown and what to look for.
	About string
	// Unit is Grafana's name of the axis' unit (reqps, binBps, short), Label the words beside
	// the axis.
	Unit, Label string
	// Signed says that values below 0 are shown; other panels begin at 0.
	Signed  bool
	Queries []query
	// ID, X and Y are filled in by addRow; X and Y are in Grafana's grid.
	ID, X, Y int
}

// query is one expression of a panel and the name of its lines.
type query struct{ Expr, Legend string }

// Sizes in Grafana's grid, which is 24 columns wide.
const (
	panelsPerRow = 3
	panelWidth   = 8
	panelHeight  = 8
)

// addRow adds panels under a heading.
func (b *board) addRow(title string, panels []panel) {
	if len(panels) == 0 {
		return
	}
	y := 0
	if n := len(b.Panels); n > 0 {
		y = b.Panels[n-1].Y + panelHeight
	}
	b.Panels = append(b.Panels, panel{IsRow: true, Title: title, ID: len(b.Panels) + 1, Y: y})
	for i, p := range panels {
		p.ID, p.X, p.Y = len(b.Panels)+1, i%panelsPerRow*panelWidth, y+1+i/panelsPerRow*panelHeight
		b.Panels = append(b.Panels, p)
	}
}

// Named says that each query has one line, whose name is known.
func (p panel) Named() bool { return !strings.Contains(p.Queries[0].Legend, "{{") }

// jsonText writes text as JSON does, without the escapes of HTML.
func jsonText(text string) (string, error) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(text)
	return strings.TrimSuffix(out.String(), "\n"), err
}

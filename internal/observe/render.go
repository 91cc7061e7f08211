package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
)

// render returns the dashboard as the JSON that Grafana's provisioning reads. published
// is the fixed window of the published panels.
//
// It is the classic form of a dashboard, which older releases of Grafana read too; files of
// the newer resource form are for the latest ones only.
func (b board) render(published time.Duration) ([]byte, error) {
	//lint:ignore SA1019 the classic form is meant, see above
	d := dashboard.NewDashboardBuilder(b.title).
		Uid(b.uid).
		Description(b.about).
		Tags([]string{"hone"}).
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-15m", "now").
		Refresh("5s").
		Link(dashboard.NewDashboardLinkBuilder("hone").
			Type(dashboard.DashboardLinkTypeDashboards).Tags([]string{"hone"}).
			AsDropdown(true).IncludeVars(false).KeepTime(true))
	for _, v := range b.variables() {
		d.WithVariable(v)
	}
	id := uint32(0)
	for _, r := range b.rows {
		id++
		d.WithRow(dashboard.NewRowBuilder(r.title).Id(id))
		for _, p := range r.panels {
			id++
			built, err := p.build(id, published)
			if err != nil {
				return nil, fmt.Errorf("panel %q: %w", p.title, err)
			}
			d.WithPanel(builtPanel{built})
		}
	}
	whole, err := d.Build()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(whole)
	return out.Bytes(), err
}

// builtPanel hands a panel that is built already to a dashboard.
type builtPanel struct{ panel dashboard.Panel }

var _ cog.Builder[dashboard.Panel] = builtPanel{}

func (p builtPanel) Build() (dashboard.Panel, error) { return p.panel, nil }

// source is the data source that the user chose.
func source() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${datasource}")}
}

// variables are the same for every dashboard: where from, which run, job and instance.
func (b board) variables() []cog.Builder[dashboard.VariableModel] {
	every := dashboard.VariableOption{Selected: cog.ToPtr(true), Text: one("All"), Value: one("$__all")}
	first := dashboard.VariableOption{Selected: cog.ToPtr(true), Text: one(b.job), Value: one(b.job)}
	return []cog.Builder[dashboard.VariableModel]{
		dashboard.NewDatasourceVariableBuilder("datasource").Label("Data source").Type("prometheus").
			Description("A Prometheus, or hone's own recordings.").
			Current(dashboard.VariableOption{Selected: cog.ToPtr(true), Text: one("Prometheus"), Value: one(dataSource)}),
		b.variable("run").Label("Run").
			Description("Runs in hone's recordings. A Prometheus has none: leave it at All.").
			IncludeAll(true).AllValue(".*").Current(every).Sort(dashboard.VariableSortNaturalDesc),
		b.variable("job").Label("Job").Description("What the figures are of.").
			Current(first).Sort(dashboard.VariableSortAlphabeticalAsc),
		b.variable("instance").Label("Instance").Description("Which one of them.").
			Sort(dashboard.VariableSortAlphabeticalAsc),
	}
}

// variable offers the values that a label of the dashboard's anchor has.
func (b board) variable(label string) *dashboard.QueryVariableBuilder {
	query := "label_values(" + b.choices(label) + ", " + label + ")"
	return dashboard.NewQueryVariableBuilder(label).Datasource(source()).
		Query(dashboard.StringOrMap{String: &query}).Definition(query).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged)
}

// choices is the selector of the series among whose labels a variable chooses: each
// variable narrows the ones after it.
func (b board) choices(label string) string {
	switch label {
	case "run":
		return b.anchor
	case "job":
		return b.anchor + `{run=~"$run"}`
	default:
		return b.anchor + `{run=~"$run",job="$job"}`
	}
}

func one(text string) dashboard.StringOrArrayOfString {
	return dashboard.StringOrArrayOfString{String: &text}
}

// target is a query as a panel takes it. Queries are A, B, C... in the order given.
func (q query) target(i int, published time.Duration) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().Datasource(source()).RefId(refID(i)).
		Expr(expand(q.expr, published)).LegendFormat(q.legend).
		EditorMode(prometheus.QueryEditorModeCode).Range()
}

func refID(i int) string { return string(rune('A' + i)) }

package observe

import (
	"strings"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	gaugepanel "github.com/grafana/grafana-foundation-sdk/go/gauge"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// palette are the colours of lines in turn: those of Okabe and Ito that can be told
// apart by people with any of the common forms of colour blindness, and that stand out
// both on white and on Grafana's dark grey ("Color Universal Design", 2008; their yellow
// and black do not).
var palette = []string{"#0072B2", "#E69F00", "#56B4E9", "#CC79A7", "#009E73", "#999999", "#D55E00"}

// Of the palette: warning draws limits, shaded is the colour whose shades tell apart
// lines that are unknown beforehand (devices, CPUs).
const (
	warning = "#D55E00"
	shaded  = "#56B4E9"
)

// Sizes in Grafana's grid, which is 24 columns wide.
const (
	panelWidth  = 8
	panelHeight = 8
)

func (p panel) build(id uint32, published time.Duration) (dashboard.Panel, error) {
	width := p.width
	if width == 0 {
		width = panelWidth
	}
	if p.shape == gauge {
		return p.dial(id, width, published)
	}
	return p.chart(id, width, published)
}

// dial draws one number.
func (p panel) dial(id, width uint32, published time.Duration) (dashboard.Panel, error) {
	b := gaugepanel.NewPanelBuilder().
		Id(id).Title(p.title).Description(p.about).Datasource(source()).
		Span(width).Height(panelHeight).
		Unit(p.unit).Min(0).Orientation(common.VizOrientationAuto).
		ColorScheme(fixed(palette[0])).
		Thresholds(thresholds(palette[0], p.limit)).
		ReduceOptions(common.NewReduceDataOptionsBuilder().Calcs([]string{"lastNotNull"}))
	for i, q := range p.queries {
		b.WithTarget(q.target(i, published))
	}
	return b.Build()
}

// chart draws lines over time.
func (p panel) chart(id, width uint32, published time.Duration) (dashboard.Panel, error) {
	b := timeseries.NewPanelBuilder().
		Id(id).Title(p.title).Description(p.about).Datasource(source()).
		Span(width).Height(panelHeight).
		Unit(p.unit).AxisLabel(p.label).
		ColorScheme(dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdShades).FixedColor(shaded)).
		Thresholds(thresholds("transparent", p.limit)).
		LineWidth(2).ShowPoints(common.VisibilityModeAuto).
		Legend(common.NewVizLegendOptionsBuilder().ShowLegend(true).
			DisplayMode(common.LegendDisplayModeTable).Placement(common.LegendPlacementBottom).
			Calcs([]string{"mean", "max", "lastNotNull"})).
		Tooltip(common.NewVizTooltipOptionsBuilder().Mode(common.TooltipDisplayModeMulti).Sort(common.SortOrderDescending))
	if !p.signed {
		b.Min(0)
	}
	if p.limit > 0 {
		b.ThresholdsStyle(common.NewGraphThresholdsStyleConfigBuilder().Mode(common.GraphThresholdsStyleModeDashed))
	}
	if p.shape == stack {
		b.FillOpacity(40).Stacking(common.NewStackingConfigBuilder().Mode(common.StackingModeNormal).Group("A"))
	}
	for i, q := range p.queries {
		b.WithTarget(q.target(i, published))
		if !strings.Contains(q.legend, "{{") {
			b.OverrideByQuery(refID(i), colour(i))
		}
	}
	for i, name := range p.series {
		b.OverrideByName(name, colour(i))
	}
	return b.Build()
}

// thresholds are a base colour, and the warning's from limit on, if there is one.
func thresholds(base string, limit float64) *dashboard.ThresholdsConfigBuilder {
	steps := []dashboard.Threshold{{Color: base}}
	if limit > 0 {
		steps = append(steps, dashboard.Threshold{Value: &limit, Color: warning})
	}
	return dashboard.NewThresholdsConfigBuilder().Mode(dashboard.ThresholdsModeAbsolute).Steps(steps)
}

func fixed(colour string) cog.Builder[dashboard.FieldColor] {
	return dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdFixed).FixedColor(colour)
}

// colour gives a line the i-th colour of the palette.
func colour(i int) []dashboard.DynamicConfigValue {
	return []dashboard.DynamicConfigValue{{
		Id:    "color",
		Value: map[string]string{"mode": string(dashboard.FieldColorModeIdFixed), "fixedColor": palette[i%len(palette)]},
	}}
}

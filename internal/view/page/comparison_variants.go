package page

import (
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/view/report"
)

// variantsOf are the sides of a comparison.
func variantsOf(runs []lab.Record) []Variant {
	all := []Variant{}
	for i, r := range runs {
		all = append(all, Variant{
			Letter: report.Letter(i), Label: r.Label, Run: r.ID, Commit: r.Binary.Commit, Source: report.VariantSource(r),
		})
	}
	return all
}

// titleOf names a comparison by its variants.
func titleOf(runs []lab.Record) string {
	var labels []string
	for _, r := range runs {
		labels = append(labels, r.Label)
	}
	return strings.Join(labels, " vs ")
}

// under says under which load and where.
func (c *compared) under() []string {
	if len(c.runs) == 0 {
		return []string{}
	}
	if len(c.once) > 0 {
		return []string{report.OnceUnder(c.once[0])}
	}
	all := report.Under(c.runs[0])
	if text := report.RanIn(c.runs); text != "" {
		all = append(all, text)
	}
	if text := c.runs[0].Assumption; text != "" {
		all = append(all, text)
	}
	return all
}

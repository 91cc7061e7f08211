package page

import (
	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/prof"
)

// explain finds out which findings came, went or changed from A to B, as the terminal does each time that it shows a
// comparison. A run whose profiles cannot be read has none.
func (c *compared) explain() {
	found := make([]*advice.Findings, len(c.runs))
	for i, r := range c.runs {
		var source prof.Sources
		if c.library.Sources != nil {
			source = c.library.Sources(r)
		}
		if one, err := c.library.find(r, source); err == nil {
			found[i] = one
		}
	}
	lab.ExplainByFindings(c.document, found)
}

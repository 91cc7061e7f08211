package model

import (
	"fmt"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/text/units"
)

// PairOf makes what is shown of two stored runs side by side, without their conditions and measures.
func PairOf(c *history.Stored) *Comparison {
	m := &Comparison{Compared: len(c.Verdicts) > 0, Trust: Trust{Check: Statement{Text: NotTogether, Tone: Warning}}}
	if c.Comparison != "" {
		m.Check = Statement{Text: fmt.Sprintf("measured together, in comparison %s: decided anew from its pairs of slices, "+
			"with its looks", c.Comparison), Tone: Good}
	}
	for _, d := range c.Differs {
		m.Doubts = append(m.Doubts, Statement{Text: "differs: " + d, Tone: Warning})
	}
	m.Verdicts = []Statement{{Text: "no measure that both runs show", Tone: Bad}}
	if m.Compared {
		v := c.Verdicts[0]
		m.Verdicts[0] = Statement{Tone: WordTone(v.Word),
			Text: fmt.Sprintf("%s: %s %s (%s, %.0f %% interval %s); %s", Claim(v, "A", "B"), v.Measure.Name,
				ValuesOf(v), units.Percent(v.Ratio-1), 100*v.Conf, Span(v, "-"), v.Reason)}
	}
	return m
}

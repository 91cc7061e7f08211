package model

import (
	"fmt"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// HotLines are the most expensive sites of a CPU profile, at most so many, with the samples that
// their shares rest on. Of too few samples there are no shares, and no sites of one sample
// but the first:
//
//	41 % of CPU in Syscall under net.(*conn).Read  framed/raw.go:41  (63 of 152 samples)
//	3 of 9 samples of CPU in main.run  prog/main.go:9  (too few for shares)
func HotLines(costs []prof.Cost, most int) []string {
	var lines []string
	for _, c := range costs[:min(len(costs), most)] {
		place := c.What
		if c.File != "" {
			place += fmt.Sprintf("  %s:%d", prof.ShortFile(c.File), c.Line)
		}
		switch {
		case c.Of <= 0: // a document from a time when samples were not counted
			lines = append(lines, fmt.Sprintf("%.0f %% of CPU in %s", c.Share, place))
		case c.Of < prof.FewestSamples:
			if c.Samples > 1 || len(lines) == 0 {
				lines = append(lines, fmt.Sprintf("%d of %s of CPU in %s  (too few for shares)", c.Samples, units.Plural(int(c.Of), "sample"), place))
			}
		default:
			lines = append(lines, fmt.Sprintf("%.0f %% of CPU in %s  (%s of %s)", c.Share, place, units.Count(uint64(c.Samples)), units.Plural(int(c.Of), "sample")))
		}
	}
	return lines
}

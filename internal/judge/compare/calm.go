package compare

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

// A difference has to be there in calm pairs, too. Disturbances hit both variants alike as long as they do not depend on whose turn it
// is. Where they do, for a stretch of time or by bad luck, more pairs only make the error look certain.
const (
	// calmShare is the part of the pairs, and calmBlocks how many blocks, that have to be calm, so that they can contradict the rest.
	calmShare  = 0.25
	calmBlocks = 4
	// calmPart is the part of a difference that calm pairs show at least, a standard error aside.
	calmPart = 0.5
)

// onlyDisturbed says that pairs which nothing disturbed contradict a change, a log ratio, that all pairs show, and how.
func onlyDisturbed(m Measure, blocks []Block, change float64) (why string, err error) {
	if m.Level == PerStart {
		return "", nil
	}
	var calm []Block
	pairs, calmPairs := 0, 0
	for _, b := range blocks {
		var kept []Pair
		for _, p := range b.Pairs {
			if !p.Disturbed {
				kept = append(kept, p)
			}
		}
		pairs, calmPairs = pairs+len(b.Pairs), calmPairs+len(kept)
		if len(kept) > 0 {
			calm = append(calm, Block{Pairs: kept})
		}
	}
	if calmPairs == pairs || float64(calmPairs) < calmShare*float64(pairs) || len(calm) < calmBlocks {
		return "", nil
	}
	s, err := observe(m, calm)
	if err != nil {
		return "", err
	}
	values, _, err := estimates(s.changes)
	if err != nil || len(values) < calmBlocks {
		return "", err
	}
	middle, err := stats.HodgesLehmann(values, 0.5)
	if err != nil {
		return "", err
	}
	found := middle.Value
	if math.Abs(change)*calmPart <= math.Copysign(1, change)*found+stats.StdErr(values) {
		return "", nil
	}
	return fmt.Sprintf("it is there while the machine was disturbed: %s, and %s in the %.0f %% of the pairs that nothing disturbed",
		units.Percent(math.Expm1(change)), units.Percent(math.Expm1(found)), 100*float64(calmPairs)/float64(pairs)), nil
}

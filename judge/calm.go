package judge

import (
	"fmt"
	"math"

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
	calm, share := calmOf(blocks)
	if m.Level == PerStart || share == 1 || share < calmShare || len(calm) < calmBlocks {
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
	found, err := stats.HodgesLehmann(values, 0.5)
	if err != nil {
		return "", err
	}
	if math.Abs(change)*calmPart <= math.Copysign(1, change)*found.Value+stats.StdErr(values) {
		return "", nil
	}
	return fmt.Sprintf("it is there while the machine was disturbed: %+.1f %%, and %+.1f %% in the %.0f %% of the pairs that nothing disturbed",
		100*math.Expm1(change), 100*math.Expm1(found.Value), 100*share), nil
}

// calmOf are the blocks with their calm pairs alone, and the share of all pairs that these are.
func calmOf(blocks []Block) (calm []Block, share float64) {
	all, kept := 0, 0
	for _, b := range blocks {
		one := Block{}
		for _, p := range b.Pairs {
			if !p.Disturbed {
				one.Pairs = append(one.Pairs, p)
			}
		}
		all, kept = all+len(b.Pairs), kept+len(one.Pairs)
		if len(one.Pairs) > 0 {
			calm = append(calm, one)
		}
	}
	return calm, float64(kept) / float64(max(1, all))
}

package plant

import (
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
)

// beyond is how much more than its limit is planted: so much that a gate has to see it.
const beyond = 1.5

// Part is the slow-down that breaks at least one of the gates on measures with these keys, by which CPU time is limited.
func Part(gates []gate.Gate, keys ...string) (float64, error) {
	least := 0.0
	for _, g := range gates {
		upward := g.Op == limit.Less || g.Op == limit.AtMost
		if upward && g.Relative && g.Function == "" && g.Limit > 0 && slices.Contains(keys, g.Measure.Key) &&
			(least == 0 || g.Limit < least) {
			least = g.Limit
		}
	}
	if least == 0 {
		return 0, fail.New(fail.BadInput, "--prove-gate: none of the gates limits how much CPU time may rise").
			WithHint("name the gate of the job, for example --gate '%s<+5%%'", keys[0])
	}
	return beyond * least, nil
}

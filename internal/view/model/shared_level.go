package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/judge"
)

// SharedLevel says of measures that are undecided, though their intervals lie on one side of zero, why that is no
// proof: an interval is of its measure by itself, and all of them share the level. Empty where there is no such
// measure.
//
//	p50 latency is undecided: its 95 % interval is right by itself, but 15 measures share the level, so that this alone is no proof
func SharedLevel(all []judge.Verdict, what string) string {
	var names []string
	conf := ""
	for _, v := range all {
		if (v.Word == judge.Undecided || v.Word == judge.NoChange) && clearOfZero(v) && v.First == nil && v.OnlyDisturbed == "" {
			names, conf = append(names, v.Measure.Name), Confidence(v)
		}
	}
	if len(names) == 0 || len(all) < 2 {
		return ""
	}
	is, its := "is", "its"
	if len(names) > 1 {
		is, its = "are", "each"
	}
	return fmt.Sprintf("%s %s undecided: %s %s interval is right by itself, but %d %s share the level, so that this "+
		"alone is no proof",
		strings.Join(names, ", "), is, its, conf, len(all), what)
}

// clearOfZero says whether the whole interval is on one side of no change.
func clearOfZero(v judge.Verdict) bool { return bounded(v) && (v.Low > 1 || v.High < 1) }

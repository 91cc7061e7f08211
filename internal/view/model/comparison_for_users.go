package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// seenByUsers are the measures that the users of a service feel. They share the level of a
// headline, so that it is wrong about any of them as rarely as about one.
var seenByUsers = []string{measure.Throughput.Key, "p50", "p99"}

// contestClaim is what became of a variant, without the figures of its CPU time. Where only
// the CPU time is the same, and users feel a difference, it does not say that the variants are.
func contestClaim(c record.Contest, v judge.Verdict) string {
	if c.SameSource {
		return fmt.Sprintf("%s is %s at another version: no file differs that it is built from, or may read",
			Letter(c.B), Letter(c.A))
	}
	if c.Unreached {
		return "same: nothing that changed is executed by this load"
	}
	if c.Equal && v.Word != judge.Undecided {
		return fmt.Sprintf("%s and %s are one build, started alike: any difference is the machine's", Letter(c.A),
			Letter(c.B))
	}
	if v.Word.Alike() && c.Leads == "" && seen(c, v.Word) != "" {
		within := 100 * v.Delta
		if v.Word == judge.NoChange {
			within = 100 * v.Excluded
		}
		return fmt.Sprintf("%s takes as much CPU as %s within +-%.2g %%", Letter(c.B), Letter(c.A), within)
	}
	if v.Word == judge.Faster && c.OtherWork() != "" {
		return fmt.Sprintf("undecided whether %s is faster than %s at the same work", Letter(c.B), Letter(c.A))
	}
	return Claim(v, Letter(c.A), Letter(c.B))
}

// alsoSeen is the end of a sentence on CPU time: what else the users of the service feel.
func alsoSeen(c record.Contest) string { return after("; ", seen(c, "")) }

// otherwiseSeen is alsoSeen without what changed as the CPU time did: a headline is short.
func otherwiseSeen(c record.Contest, cpu judge.Word) string { return after(", but ", seen(c, cpu)) }

func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// seen names the measures that the users of a service feel, as far as they are shown to have
// changed, and to something else than a word: "p99 latency +94 % (+80 ... +110 %)".
func seen(c record.Contest, than judge.Word) string {
	var parts []string
	for _, v := range c.Verdicts {
		key := v.Measure.Key
		if c.OneFact && key == "p50" {
			continue // throughput says it
		}
		if (slices.Contains(seenByUsers, key) || c.Leads != "" && key == measure.CPU.Key) && key != c.Leads &&
			v.Word != than && clearlyChanged(v) {
			if v.Method == judge.SlowShare {
				parts = append(parts, slowText(v.Measure, *v.Tail))
				continue
			}
			parts = append(parts, fmt.Sprintf("%s %s (%s)", v.Measure.Name, units.Percent(v.Ratio-1), Span(v, "")))
		}
	}
	return strings.Join(parts, ", ")
}

// clearlyChanged says that a change is shown at a share of the level, and beyond the tolerance.
func clearlyChanged(v judge.Verdict) bool {
	if v.Method == judge.SlowShare {
		return v.Confirmed()
	}
	return v.Word.Different() && bounded(v) && !v.Indicative &&
		(v.Confirmed() || v.P*float64(len(seenByUsers)) <= v.Level) && (v.Ratio > 1+v.Delta || v.Ratio < 1/(1+v.Delta))
}

package model

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// leastPart is the smallest part of a width that is said.
const leastPart = 0.05

// widthText says where the width of an interval comes from, and what would narrow it, given what a start of both sides
// takes: "60 % starts, 30 % link orders; 40 s more give +-1 %".
func widthText(v judge.Verdict, perStart time.Duration) string {
	var parts []string
	for _, p := range v.Width.Parts {
		if p.Share >= leastPart {
			parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*p.Share, p.Of))
		}
	}
	more := units.Plural(v.Width.Starts, "start")
	if perStart > 0 {
		more = units.Seconds(time.Duration(v.Width.Starts) * perStart)
	}
	return fmt.Sprintf("%s; about %s more give +-%.2g %%", strings.Join(parts, ", "), more, 100*v.Width.Resolution)
}

// widthOf is the line on the width of a comparison's widest verdict that has one; empty where none has.
func widthOf(verdicts []judge.Verdict, name func(i int) string, perStart time.Duration) []Statement {
	widest := -1
	for i, v := range verdicts {
		if v.Width != nil && !v.Word.Different() && (widest < 0 || v.Resolution > verdicts[widest].Resolution) {
			widest = i
		}
	}
	if widest < 0 {
		return nil
	}
	text := widthText(verdicts[widest], perStart)
	if len(verdicts) > 1 {
		text = name(widest) + ": " + text
	}
	return []Statement{{Word: "width", Text: text, Tone: Neutral}}
}

// contestWidth is widthOf a comparison.
func contestWidth(c *record.Comparison) []Statement {
	var all []judge.Verdict
	var names []string
	for _, contest := range c.Contests {
		for _, v := range contest.Verdicts {
			if v.Width != nil {
				all, names = append(all, v), append(names, Letter(contest.B))
			}
		}
	}
	return widthOf(all, func(i int) string { return names[i] }, perStart(c.Elapsed, c.Blocks))
}

// BenchWidth is widthOf benchmarks.
func BenchWidth(r *benchmarks.Result) []Statement {
	var all []judge.Verdict
	rounds := 0
	for _, b := range r.Benchmarks {
		v := judge.Verdict{}
		if len(b.Verdicts) > 0 {
			v = b.Verdicts[0]
		}
		all, rounds = append(all, v), rounds+b.Rounds
	}
	return widthOf(all, func(i int) string { return r.Benchmarks[i].Name }, perStart(r.Elapsed, rounds))
}

func perStart(elapsed time.Duration, starts int) time.Duration {
	return time.Duration(float64(elapsed) / math.Max(1, float64(starts)))
}

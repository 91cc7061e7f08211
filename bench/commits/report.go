package commits

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// document makes the result of the records. All figures are the change of the time per operation, in %.
func document(res *bed.Result, records []record) {
	t := res.Table("Commits", "commit", "benchmark", "claim", "truth (rounds)", "hone", "seconds", "benchstat")
	var overlap, verdicts, classic bed.Share
	for _, c := range commits {
		for _, r := range records {
			if !r.of(c) {
				continue
			}
			t.Row(fmt.Sprintf("%s %s", c.Repo, c.Name()), c.Benchmark, c.Claim,
				fmt.Sprintf("%s (%d)", change(r.Truth), r.Rounds),
				fmt.Sprintf("%s, %s", r.Verdict, change(r.ByHone)), fmt.Sprintf("%.0f", r.Seconds), benchstat(r))
			overlap.Add(r.overlaps())
			verdicts.Add(r.right(r.verdictSign()))
			classic.Add(r.right(r.classicSign()))
		}
	}
	t.Say("truth: in each round both sides are linked in a random order of their functions, and run a second each in fresh processes. " +
		"Where its interval leaves no change out, no difference is right; else its sign is.")
	res.Claim("public commits that claim to be faster, and some that change nothing, by `hone bench` against a long run over link orders", "intervals overlap for %d of %d; "+
		"hone was right %d times, benchstat %d times", overlap.Of, overlap.N, verdicts.Of, classic.Of)
}

// change prints a ratio as a change in per cent.
func change(r figures.Ratio) string {
	if !r.Bounded() {
		return percent(r.Value)
	}
	return fmt.Sprintf("%s (%s ... %s)", percent(r.Value), percent(r.Low), percent(r.High))
}

func percent(ratio float64) string { return fmt.Sprintf("%+.2f", 100*(ratio-1)) }

func benchstat(r record) string {
	if r.classicSign() == 0 {
		return fmt.Sprintf("~ (%s, p=%.3f)", percent(r.Classic.Ratio), r.Classic.P)
	}
	return fmt.Sprintf("%s (p=%.3f)", percent(r.Classic.Ratio), r.Classic.P)
}

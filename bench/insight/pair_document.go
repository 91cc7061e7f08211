package insight

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/bench/bed"
)

// The goals of pairs, on the closed half.
const (
	falseLineGoal = 0.02
	explainedGoal = 0.85
)

func writePairs(r *bed.Result, of *corpus, all map[string]record) {
	var right, near, explained, wrong bed.Share
	t := r.Table("Pairs of versions, "+of.half()+" half", "pair", "true", "said", "right", "on", "ratio", "true ratio", "explained", "false lines")
	var missed []pairJudgement
	for _, p := range of.programs {
		said := all[p.Name].Pair
		if said == nil {
			continue
		}
		j := judgePair(p, *said)
		right.Add(j.Right)
		if j.Near != nil {
			near.Add(*j.Near)
		}
		if p.Word != same {
			explained.Add(j.Explained)
		}
		for _, line := range j.Placed {
			wrong.Add(slices.Contains(j.False, line))
		}
		if !j.Right || len(j.False) > 0 || p.Word != same && !j.Explained {
			missed = append(missed, j)
		}
		t.Row(j.cells()...)
	}
	writeLines(r, missed)
	claim := func(what string) string {
		return fmt.Sprintf("pairs of versions, %s half of the corpus: %s", of.half(), what)
	}
	if right.N > 0 {
		r.Claim(claim("the verdict is right"), "%s", right)
		r.Claim(claim("the ratio is within 30 % of the true change"), "%s", near)
	}
	r.Goal(claim("a difference or growth is found, and the first line of why names its cause"), explained, bed.AtLeast, explainedGoal)
	r.Goal(claim("lines of why and but that name another place"), wrong, bed.AtMost, falseLineGoal)
}

func (j pairJudgement) cells() []string {
	yes := map[bool]string{true: "yes", false: "NO"}
	ratio, explained := "-", "-"
	if j.Near != nil {
		ratio = fmt.Sprintf("%.2f", j.True)
		if !*j.Near {
			ratio += ", NOT NEAR"
		}
	}
	if j.program.Word != same {
		explained = yes[j.Explained]
	}
	return []string{j.Name, j.Measure + " " + j.program.Word, string(j.compared.Word), yes[j.Right], j.On, fmt.Sprintf("%.2f", j.Ratio), ratio, explained,
		fmt.Sprintf("%d of %d", len(j.False), len(j.Placed))}
}

// writeLines shows what hone said of pairs where it was not right.
func writeLines(r *bed.Result, missed []pairJudgement) {
	for _, j := range missed {
		t := r.Table(fmt.Sprintf("Not right: %s. %s", j.Name, j.About))
		for _, line := range j.Lines {
			if slices.Contains(j.False, line) {
				line = "FALSE " + line
			}
			t.Row(line)
		}
		if len(j.Lines) == 0 {
			t.Row("nothing is said")
		}
	}
}

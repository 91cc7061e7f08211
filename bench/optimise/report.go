package optimise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// within is the time in seconds in which the built-in agents are to do all tasks, and hone to judge them.
const within = 2 * 3600.0

// document makes the result of the latest record of each agent and task.
func document(res *bed.Result, records []record) {
	all := last(records)
	var agents []string
	for k := range all {
		if !slices.Contains(agents, k[0]) {
			agents = append(agents, k[0])
		}
	}
	slices.SortFunc(agents, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	var whole sums // of the built-in agents that did all tasks
	scores := res.Table("Agents", "agent", "tasks", "faster", "score", "doubted", "refused", "slower", "agent, minutes",
		"judge, minutes")
	for _, a := range agents {
		var of []record
		for _, t := range tasks {
			if r, ok := all[key{a, t.Name()}]; ok {
				of = append(of, r)
			}
		}
		s := sum(of)
		scores.Row(a, fmt.Sprint(s.n), fmt.Sprint(s.outcomes[faster]), fmt.Sprintf("%.2f", s.score()),
			fmt.Sprint(s.outcomes[doubted]), fmt.Sprint(s.outcomes[refused]), fmt.Sprint(s.outcomes[slower]),
			fmt.Sprintf("%.0f", s.worked/60), fmt.Sprintf("%.0f", s.judged/60))
		claim(res, a, s)
		if s.n == len(tasks) && rank(a) < len(builtIn) {
			whole.n, whole.worked, whole.judged = whole.n+1, whole.worked+s.worked, whole.judged+s.judged
		}
	}
	if took := whole.worked + whole.judged; whole.n == len(builtIn) {
		res.Claim(fmt.Sprintf("all %d tasks for the %d built-in agents", len(tasks), len(builtIn)), "%.0f minutes", took/60).
			Want(fmt.Sprintf("at most %.0f minutes", within/60), took <= within)
	}
	scores.Say("score: the mean over the tasks, each at most 1; a task without a confirmed gain has 0, one whose " +
		"merged commit was not confirmed beside the agent's gain is left out")
	each(res, all, agents)
}

// rank puts the built-in agents first.
func rank(name string) int {
	if i := slices.IndexFunc(builtIn, func(a agent) bool { return a.name == name }); i >= 0 {
		return i
	}
	return len(builtIn)
}

// sums are those of an agent.
type sums struct {
	n              int
	outcomes       map[outcome]int
	total          float64 // of the scores, each at most 1
	worked, judged float64 // seconds
}

func sum(records []record) sums {
	s := sums{n: len(records), outcomes: map[outcome]int{}}
	for _, r := range records {
		s.outcomes[r.Outcome]++
		s.total += min(1, r.Score)
		s.worked, s.judged = s.worked+r.Worked, s.judged+r.Judged
	}
	return s
}

func (s sums) score() float64 { return s.total / float64(max(1, s.n-s.outcomes[unscored])) }

// claim says how an agent did.
func claim(res *bed.Result, agent string, s sums) {
	what := fmt.Sprintf("merged performance commits of public repositories, agent %s", agent)
	confirmed := bed.Share{Of: s.outcomes[faster], N: s.n}
	if agent == "none" {
		res.Goal(what+": a gain is confirmed", confirmed, bed.AtMost, 0)
		return
	}
	res.Claim(what, "score %.2f; a gain is confirmed for %s; %d doubted, %d refused", s.score(), confirmed,
		s.outcomes[doubted], s.outcomes[refused])
}

// each has a row for each task.
func each(res *bed.Result, all map[key]record, agents []string) {
	t := res.Table("Tasks", slices.Concat([]string{"merged commit", "benchmark", "kind", "its gain"}, agents)...)
	for _, task := range tasks {
		cells, shown := make([]string, len(agents)), false
		for i, a := range agents {
			if r, ok := all[key{a, task.Name()}]; ok {
				cells[i], shown = r.cell(), true
			}
		}
		if shown {
			t.Row(slices.Concat([]string{task.Name(), strings.TrimPrefix(task.Dir+" "+task.Benchmark, " "),
				string(task.kind), percent(task.took)}, cells)...)
		}
	}
	why := res.Table("Refused or doubted", "agent", "merged commit", "outcome", "reason")
	for _, a := range agents {
		for _, task := range tasks {
			if r := all[key{a, task.Name()}]; r.Outcome == refused || r.Outcome == doubted {
				why.Row(a, task.Name(), string(r.Outcome), r.Reason)
			}
		}
	}
}

// cell is a record in a table.
func (r record) cell() string {
	if r.Outcome != faster {
		return string(r.Outcome)
	}
	return fmt.Sprintf("%s, score %s", percent(r.Said.ratio()), figures.Number(r.Score, 1))
}

// percent is a ratio of times as a change.
func percent(ratio float64) string { return fmt.Sprintf("%+.1f %%", 100*(ratio-1)) }

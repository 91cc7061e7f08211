package optimise

import (
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/judge"
)

// The tasks are as many and as different as they should be.
func TestTasks(t *testing.T) {
	repos, kinds, names := map[string]bool{}, map[kind]bool{}, map[string]bool{}
	for _, tk := range tasks {
		if names[tk.Name()] || len(tk.Commit.Commit) < 7 || tk.Benchmark == "" || tk.took <= 0 || tk.took > 0.95 {
			t.Errorf("%+v: want it once, with a hash, a benchmark, and a gain of 5 %% or more", tk)
		}
		repos[tk.Repo], kinds[tk.kind], names[tk.Name()] = true, true, true
	}
	if len(tasks) < 20 || len(repos) < 12 || len(kinds) < 5 {
		t.Errorf("%d tasks of %d repositories and %d kinds", len(tasks), len(repos), len(kinds))
	}
}

// The document has each agent, each task, and why something was refused.
func TestDocument(t *testing.T) {
	var records []record
	gain := &answer{Benchmarks: []measured{{Name: "x", Word: judge.Faster, Ratio: 0.5}}}
	for i, tk := range tasks {
		records = append(records, record{Agent: "none", Task: tk.Name(), Outcome: nothing, Judged: 60},
			record{Agent: "reference", Task: tk.Name(), Outcome: faster, Score: 1.5, Said: gain, Reference: gain,
				Judged: 200})
		if i == 0 {
			records = append(records, record{Agent: "mine", Task: tk.Name(), Outcome: refused,
				Reason: "it changes x_test.go"})
		}
	}
	b := &bed.Result{}
	document(b, records)
	text := b.Text()
	for _, want := range []string{
		"agent none: a gain is confirmed: 0 of", "goal at most 0 %: held",
		"agent reference: score 1.00; a gain is confirmed for", "agent reference: time to judge all tasks: ",
		"agent mine: score 0.00", "it changes x_test.go", "-50.0 %, score 1.50",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

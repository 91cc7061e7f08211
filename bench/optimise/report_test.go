package optimise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/judge"
)

// The tasks are as many and as different as they should be, and each commit is offered once.
func TestTasks(t *testing.T) {
	repos, kinds, names := map[string]bool{}, map[kind]bool{}, map[key]bool{}
	for _, tk := range slices.Concat(tasks, others) {
		if len(tk.Commit.Commit) != 10 || tk.Benchmark == "" || tk.took <= 0 || tk.took > 0.95 {
			t.Errorf("%+v: want a hash of 10 digits, a benchmark, and a gain of 5 %% or more", tk)
		}
		repos[tk.Repo], kinds[tk.kind] = true, true
	}
	if len(tasks) != 30 || len(repos) < 20 || len(kinds) < 5 {
		t.Errorf("%d tasks of %d repositories and %d kinds", len(tasks), len(repos), len(kinds))
	}
	all, err := offers()
	if err != nil {
		t.Fatal(err)
	}
	none := 0
	for _, o := range all {
		if names[o.name()] {
			t.Errorf("%s is offered twice", o)
		}
		if names[o.name()] = true; o.nothingNew() {
			none++
		}
	}
	if none != 40 || len(all) != 40+len(tasks)+len(others) {
		t.Errorf("%d patches, %d of them make nothing faster", len(all), none)
	}
}

// The result of the honest case counts what passes the gate, of both sorts.
func TestDocumentHonest(t *testing.T) {
	all, err := offers()
	if err != nil {
		t.Fatal(err)
	}
	var records []verdict
	for i, o := range all {
		v := verdict{Repo: o.Repo, Commit: o.Name(), Benchmark: o.Benchmark, Kind: o.kind,
			Said: &answer{Fault: "it breaks a test"}}
		if !o.nothingNew() && i > 0 || i == len(all)-1 {
			v.Said = &answer{Passed: true, Benchmarks: []measured{{Word: judge.Faster, Ratio: 0.5, Low: 0.4, High: 0.6}}}
		}
		records = append(records, v)
	}
	b := &bed.Result{}
	documentHonest(b, records)
	text := b.Text()
	gains := len(tasks) + len(others)
	for _, want := range []string{"it breaks a test", "faster, -50.0 % (-60.0 % ... -40.0 %)",
		fmt.Sprintf("as patches: accepted: %d of %d, ", gains-1, gains), "accepted: 1 of 40, 2.5 % (0.4 ... 12.9); goal at most 2.5 %: held"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The document has each agent, each task, and why something was refused.
func TestDocument(t *testing.T) {
	var records []record
	gain := &answer{Benchmarks: []measured{{Name: "x", Word: judge.Faster, Ratio: 0.5}}}
	for i, tk := range tasks {
		records = append(records, record{Agent: "none", Task: tk.Name(), Outcome: nothing, Judged: 1},
			record{Agent: "reference", Task: tk.Name(), Outcome: faster, Score: 1.5, Said: gain, Reference: gain,
				Judged: 100}, record{Agent: "fix", Task: tk.Name(), Outcome: nothing, Worked: 40})
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
		"agent reference: score 1.00; a gain is confirmed for",
		"all 30 tasks for the 3 built-in agents: 70 minutes; goal at most 120 minutes: held", "agent mine: score 0.00", "it changes x_test.go", "-50.0 %, score 1.50",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Package optimise is a benchmark for optimisers: programs, mostly coding agents, that are asked to make code faster.
// Its tasks are merged performance commits of public Go repositories. An agent gets the files as they were before such
// a commit, in a repository without history, and a text that names a benchmark. It changes the files within a time
// limit. Then hone judges the change as a patch on the base: what it touches besides code is refused, the tests of the
// changed packages run, and hone bench compares the benchmark. The merged commit is measured in the same way right
// after it. The score is the confirmed gain of the agent, divided by that of the merged commit.
//
// What it does not show: one machine. The tasks are public, so that an agent may know the merged commit, or find it in
// the network or in the clones: run it where it cannot. The score has the benchmark of the task alone: a change may
// make something slower that no benchmark of the task measures.
package optimise

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// Case is the benchmark.
var Case = bed.Case{
	Name: "optimise", Shows: "how much of the gain of merged performance commits an optimiser finds, without a cheat",
	Takes: "at most 2 hours for each agent, without its own time; goes on where it was",
	Needs: "clones from GitHub, modules",
	About: append([]string{"internal/conduct/precheck", "cmd/hone/internal/fix"}, bed.AboutBenchmarks...), Run: run,
}

type config struct {
	*bed.Bed
	clones corpus.Clones
	agents []agent
	limit  time.Duration
	budget time.Duration
	tasks  []task
}

func run(ctx context.Context, b *bed.Bed) error {
	c := config{Bed: b}
	b.Keeps("results/optimise.jsonl")
	c.clones.Flag(b)
	command := b.String("agent", "", "`command` that changes the files in {dir}, such as 'my-agent --in {dir} --task "+
		"{task}'; {task} is a file that says what to do (default: the built-in agents)")
	name := b.String("name", "", "name of the agent in results (default: the first word of its command)")
	bed.Choice(b.Flags, &c.agents, "built-in", "", "agent", builtIn, agent.String,
		"built-in agents to ask, without -agent")
	b.DurationVar(&c.limit, "agent-time", 10*time.Minute, "time of the agent for a task")
	b.DurationVar(&c.budget, "budget", 40*time.Second, "time of hone for a comparison, without its builds")
	bed.Choice(b.Flags, &c.tasks, "task", "", "task", tasks, task.Name, "tasks to ask for")
	b.Read()
	b.Want(c.limit > 0 && c.budget >= time.Second, "want -agent-time above 0, and -budget of 1s or more")
	if *command != "" {
		a, err := commandAgent(*name, *command)
		b.Want(err == nil, "-agent: %w", err)
		c.agents = []agent{a}
	}
	if err := b.Start(ctx); err != nil {
		return err
	}
	return c.calibration().Run(ctx, b)
}

func (c config) calibration() bed.Calibration[record] {
	return bed.Calibration[record]{Schema: schema, Todo: c.todo, Write: document}
}

// todo is what the records lack. An agent that cannot work here is left out, and said.
func (c config) todo(ctx context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
	var there []agent
	for _, a := range c.agents {
		if err := a.there(ctx, c.Hone); err != nil {
			c.Progress("%s is left out: %v", a, err)
			continue
		}
		there = append(there, a)
	}
	return bed.Each(missing(j.Records, there, c.tasks), trial.String, bed.One(c.take)), nil
}

// kind is what the merged commit changes.
type kind string

// The kinds.
const (
	allocation kind = "allocation"
	algorithm  kind = "algorithm"
	parsing    kind = "parsing"
	encoding   kind = "encoding"
	hashing    kind = "hashing"
)

// task is a merged commit whose gain the agent is to reach.
type task struct {
	corpus.Commit
	kind kind
	// took is the time per operation after the commit, divided by that before, when the task was chosen.
	took float64
}

// Name tells the tasks apart.
func (t task) Name() string { return t.Repo + "@" + t.Commit.Commit }

// text is what the agent is told. It does not name the commit.
func (t task) text(limit time.Duration) string {
	return fmt.Sprintf(`Make the benchmark %s in the package ./%s faster: less time per operation.
The answers of the code have to stay the same, and all tests have to pass. Do not change tests, their data, benchmarks,
go.mod or go.sum: a change that does is refused, and so is work that only moves out of the timed loop.
Measure it: cd %s && go test -run '^$' -bench '%s' -benchmem .
You have %s. Leave the changed files in the directory; there is nothing to commit.
`, t.Benchmark, t.Dir, path.Join(".", t.Dir), t.Pattern(), limit)
}

// trial is a task for an agent.
type trial struct {
	task
	agent agent
}

// String is how progress names it.
func (t trial) String() string { return t.agent.name + ", " + t.Name() }

// missing are the trials that records lack: each agent gets each task once.
func missing(records []record, agents []agent, tasks []task) (todo []trial) {
	done := last(records)
	for _, a := range agents {
		for _, t := range tasks {
			if _, ok := done[key{a.name, t.Name()}]; !ok {
				todo = append(todo, trial{t, a})
			}
		}
	}
	return todo
}

// firstWord names a command by its program.
func firstWord(command string) string {
	words := strings.Fields(command)
	if len(words) == 0 {
		return ""
	}
	return path.Base(words[0])
}

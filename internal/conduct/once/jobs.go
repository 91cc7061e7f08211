package once

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/conductor"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// jobs is a measurement of programs that end by themselves.
type jobs struct {
	*lab.Measurement
	runner   Runner
	sides    []*job
	perRound time.Duration // what a round takes on average
}

// job is one variant, and its executions.
type job struct {
	*lab.Side
	executions []record.Execution
	output     output.Streams // of the latest
	profiled   *record.ProfiledExecution
}

// measure takes rounds of executions until what was asked is answered: a run has as many as were asked for.
func (m *jobs) measure(ctx context.Context) error {
	phase := m.phase("execute", m.sides[0], m.Task.Count)
	if m.Comparison != nil {
		phase = fmt.Sprintf("execute %d programs in rounds, in random order", len(m.sides))
	}
	m.Progress.Phase(phase, m.Question.Budget)
	m.Question.Earlier = func(*compare.Contender) compare.Earlier {
		first := m.sides[0].Side
		return lab.Scattered(m.Earlier(first, planOf(m.Task, m.Hide)), m.Question.Gated)
	}
	return conductor.Conduct(ctx, m.BeginPace(m.Task.Count), m)
}

// Sample is a round: it executes every variant once.
func (m *jobs) Sample(ctx context.Context, round int) (perRound time.Duration, err error) {
	for turn, i := range m.Rand.Perm(len(m.sides)) {
		if err := m.execute(ctx, m.sides[i], round, turn); err != nil {
			return 0, err
		}
		m.tick(m.sides[i], round)
	}
	if m.Referee == nil {
		return 0, nil
	}
	m.perRound = m.Referee.Elapsed() / time.Duration(round+1)
	if round == 0 {
		if !m.Task.NoProfile {
			m.Referee.Keep(m.perRound, 0) // for the executions with profiles at the end
		}
		m.warnOfBudget()
	}
	return m.perRound, nil
}

// Look has the referee look at the rounds so far.
func (m *jobs) Look(perRound time.Duration) (over bool, err error) {
	return m.LookAt(m.blocks, perRound)
}

// Finish takes the profiles of one more execution of each program after the last round.
func (m *jobs) Finish(ctx context.Context, last bool) error {
	if !last || m.Task.NoProfile {
		return nil
	}
	for _, i := range m.Rand.Perm(len(m.sides)) {
		if err := m.profile(ctx, m.sides[i]); err != nil {
			return err
		}
	}
	return nil
}

// warnOfBudget says after the first round if the budget cannot hold as many as a verdict
// takes.
func (m *jobs) warnOfBudget() {
	fewest := judge.FewestBlocks(m.Question.Options.WithDefaults().Alpha)
	if needs := time.Duration(fewest) * m.perRound; needs > m.Question.Budget {
		m.Progress.Warn(fmt.Sprintf("a round takes %s, and a verdict at least %d of them: give it less to do, or "+
			"time (--budget %s)",
			units.Seconds(m.perRound), fewest, (needs*11/10).Truncate(time.Second)+time.Second))
	}
}

// blocks are the rounds in which both variant b and A were executed.
func (m *jobs) blocks(b int) []judge.Block {
	one, two := record.GoodExecutions(m.sides[0].executions), record.GoodExecutions(m.sides[b].executions)
	var blocks []judge.Block
	for i := range min(len(one), len(two)) { // a round that was broken off is the last
		blocks = append(blocks, judge.Block{A: one[i].Sample(), B: two[i].Sample()})
	}
	return blocks
}

// execute runs the program once, to its end, and keeps what it took. An execution that
// fails is kept too, as such, and is the error.
func (m *jobs) execute(ctx context.Context, v *job, round, turn int) error {
	quiet, own := m.Gauge.Read(), machine.OwnCPU()
	one := record.Execution{Start: time.Since(m.Started), Round: round, Turn: turn}
	ending, err := m.runner.Execute(ctx, m.program(v))
	if ending == nil {
		return err
	}
	one.Spent, one.Conditions = ending.Spent, m.Gauge.Read().Since(quiet).WithOwn(machine.OwnCPU()-own)
	if err != nil {
		one.Failure = err.Error()
	}
	if ending.Warning != "" {
		v.Warn("%s", ending.Warning)
	}
	v.output = ending.Output
	v.executions = append(v.executions, one)
	return err
}

func (m *jobs) program(v *job) Program {
	return Program{Binary: v.Binary, Name: v.Binary.Variant.Redacted(m.Hide).Label()}
}

// profile takes and stores the profiles of one more execution.
func (m *jobs) profile(ctx context.Context, v *job) error {
	if v.Binary.Probed {
		m.Progress.Phase(m.phase("profile", v, 1), 0)
	}
	p, err := m.runner.Profile(ctx, m.program(v), m.Task.ProfileRate)
	if err != nil {
		return err
	}
	for _, kind := range Kinds {
		if c, ok := p.Captures[kind]; ok {
			if err := record.AddCapture(v.Draft, 0, c); err != nil {
				return err
			}
		}
	}
	p.ScaleCPU(v.Binary.Module, v.facts())
	for _, w := range p.Warnings {
		v.Warn("%s", w)
	}
	v.Captures, v.profiled = p.Captures, p.Profiled
	return nil
}

func (m *jobs) phase(what string, v *job, times int) string {
	text := strings.Join(append([]string{what, v.Binary.Variant.Redacted(m.Hide).Label()}, redact.Args(m.Task.Args)...),
		" ")
	if times > 1 {
		text += fmt.Sprintf(", %d times", times)
	}
	return text
}

// tick says how far the measurement is.
func (m *jobs) tick(v *job, round int) {
	done, note := time.Since(m.Started), ""
	if m.Referee != nil {
		done, note = m.Referee.Elapsed(), strings.Join(append([]string{fmt.Sprintf("round %d", round+1)},
			m.Referee.Notes()...), ", ")
	}
	m.Progress.Tick(progress.Tick{Variant: v.Binary.Variant.Name, Done: done, Total: m.Question.Budget, NoLoad: true,
		Note: note})
}

package robust

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

var crashes = &kind{
	Name: "crash",
	Does: "A real command of hone is killed (SIGKILL) at a moment drawn evenly over its life, measured before, " +
		"in a fresh ledger or one that has grown by earlier trials. Then a command that reads, one that writes, and hone ledger verify.",
	Fails: "a command after it that ends with another code than 0, or takes 2 s of CPU; a run under way that is not `crashed`; " +
		"an earlier run whose document or file is not what it was, byte for byte; a process of the killed hone that lives 5 s later; a git worktree that stays behind the next hone bench. " +
		"Hit are the kills that left a crashed run.",
	Default: 300,
	Run:     crash,
}

// nextBudget is the CPU time that the command after a kill may take (fault 1).
const nextBudget = 2 * time.Second

// fullLedger is how many runs a ledger has when the next trial begins a fresh one: every
// trial reads all of them.
const fullLedger = 12

// crashBench is what trials of this kind share.
type crashBench struct {
	ledger string
	made   int  // ledgers so far
	spoilt bool // a failure left it in a state that the next trial must not begin with
	// before is what the ledger holds.
	before contents
	life   map[string]time.Duration // of a command that nothing disturbs
}

// victim is a command that is killed.
type victim struct {
	name string
	args func(p *project) []string
}

// victims measure for longer than they build, so that most kills meet a run.
var victims = []victim{
	{"run --once", func(*project) []string { return []string{"run", "--once", "./burn", "--count", "10"} }},
	{"run", func(*project) []string {
		return []string{"run", "./service", "-d", "1s", "-c", "2", "--warmup", "50ms", "--set", "slice=50ms",
			"--profile-time", "100ms",
			"--target", "http://127.0.0.1:{port}/", "--", "-addr", "127.0.0.1:{port}"}
	}},
	{"pull", func(p *project) []string { return []string{"pull", p.profile} }},
	{"compare", func(*project) []string {
		return []string{"compare", "./service", "./service", "--budget", "2s", "-c", "2", "--warmup", "50ms",
			"--no-profile",
			"--target", "http://127.0.0.1:{port}/", "--", "-addr", "127.0.0.1:{port}"}
	}},
	{"bench", func(*project) []string {
		return []string{"bench", "./sum", "--vs", "HEAD~1", "--benchtime", "5ms", "--budget", "1s", "--profile"}
	}},
}

// invocation is a victim's command line in a ledger. Flags of hone stand before --.
func (v victim) invocation(p *project, ledger string) command {
	args := v.args(p)
	at := slices.Index(args, "--")
	if at < 0 {
		at = len(args)
	}
	flags := []string{"--ledger", ledger}
	if v.name != "pull" {
		flags = append(flags, "--quiet")
	}
	return command{dir: p.dir, args: slices.Insert(args, at, flags...)}
}

// acceptable are codes of a victim that nothing disturbs: on a busy machine a measurement may
// be invalid or undecided, and a benchmark slower.
var acceptable = []int{0, 1, 4, 8}

// crash is one trial.
func crash(ctx context.Context, r *rig, t trial) (outcome, error) {
	v := victims[t.Number%len(victims)]
	o := outcome{What: v.name}
	p, err := r.ensureProject(ctx)
	if err != nil {
		return o, err
	}
	b, err := r.crashLedger(t.Random.IntN(4) == 0)
	if err != nil {
		return o, err
	}
	life, err := b.lifeOf(ctx, r, p, v)
	if err != nil {
		return o, err
	}
	delay := time.Duration(t.Random.Float64() * float64(life))
	hone, err := r.start(ctx, v.invocation(p, b.ledger))
	if err != nil {
		return o, err
	}
	var noted []process
	select {
	case <-time.After(delay): // not a wait for anything: the random moment of the fault
		noted = below(hone.cmd.Process.Pid)
	case <-hone.ended:
	}
	killed := hone.kill()
	died := hone.wait(generous)
	o.Point = fmt.Sprintf("killed after %d of some %d ms, %d earlier runs", delay.Milliseconds(), life.Milliseconds(),
		len(b.before.Runs))
	if !killed {
		o.Point = fmt.Sprintf("ended by itself after %d ms", died.wall.Milliseconds())
		b.life[v.name] = died.wall // the machine has become faster
		o.failIf("before the kill: ", died.sound(acceptable...))
	}
	for _, s := range afterwards(hone.tag, noted) {
		o.failf("process %d (%s) lives %v after hone", s.pid, s.name, allowed)
	}
	err = b.judgeLedger(ctx, r, p, &o)
	b.spoilt = len(o.Failures) > 0
	if err == nil && v.name == "bench" {
		err = judgeWorktrees(ctx, r, v.invocation(p, b.ledger), &o)
		b.spoilt = true // where hone bench ran once more, there is another run
	}
	return o, err
}

// crashLedger is the ledger of the next trial.
func (r *rig) crashLedger(fresh bool) (*crashBench, error) {
	b := &r.crash
	if b.ledger != "" && !fresh && !b.spoilt && len(b.before.Runs) < fullLedger {
		return b, nil
	}
	if err := os.RemoveAll(b.ledger); err != nil { // none for ""
		return nil, fmt.Errorf("remove ledger: %w", err)
	}
	b.made++
	b.spoilt = false
	b.ledger = filepath.Join(r.dir, fmt.Sprintf("crash-%d", b.made))
	b.before = contents{}
	return b, nil
}

// lifeOf is how long a victim lives. The first call in a session lets it live twice, since
// the first time may have much to build, and reads the ledger that it has written into.
func (b *crashBench) lifeOf(ctx context.Context, r *rig, p *project, v victim) (time.Duration, error) {
	if took, known := b.life[v.name]; known {
		return took, nil
	}
	for range 2 {
		d := r.run(ctx, v.invocation(p, b.ledger))
		if err := d.sound(acceptable...); err != nil {
			return 0, fmt.Errorf("measure the life of hone %s: %w", v.name, err)
		}
		b.life[v.name] = d.wall
	}
	var err error
	b.before, err = r.read(ctx, b.ledger)
	return b.life[v.name], err
}

// judgeLedger carries out the commands after a kill and judges them and what the ledger holds.
func (b *crashBench) judgeLedger(ctx context.Context, r *rig, p *project, o *outcome) error {
	first, err := r.readJudged(ctx, b.ledger, o, len(b.before.Runs) == 0)
	if err != nil {
		return err
	}
	// The next writer marks what died in the rows themselves.
	written := r.run(ctx, command{dir: p.dir, args: []string{"pull", p.profile, "--ledger", b.ledger}})
	o.judgeNext(written)
	if written.code != 0 {
		return nil // it is said; what follows would only repeat it
	}
	after, err := r.read(ctx, b.ledger)
	if err != nil {
		o.failf("%v", err)
		return nil
	}
	o.Hit = judgeRuns(o, b.before, first, after)
	o.judgeNext(r.run(ctx, command{args: []string{"ledger", "verify", "--ledger", b.ledger}}))
	b.before = after
	return nil
}

// readJudged lists the runs right after the kill, by a command that only reads.
func (r *rig) readJudged(ctx context.Context, ledger string, o *outcome, mayLack bool) (map[string]string, error) {
	d := r.run(ctx, command{args: []string{"history", "--json", "--ledger", ledger}})
	if d.code == noLedger && mayLack && d.died() == "" {
		return nil, nil // it was killed before there was one
	}
	o.judgeNext(d)
	if d.code != 0 {
		return nil, nil
	}
	runs, err := statuses(d.stdout)
	o.failIf("", err)
	return runs, ctx.Err()
}

// noLedger is the code of a reader where there is no ledger (bad input).
const noLedger = 2

// judgeWorktrees judges what a killed hone bench leaves in the user's repository: the next one
// removes it.
func judgeWorktrees(ctx context.Context, r *rig, again command, o *outcome) error {
	left, err := worktrees(ctx, again.dir)
	if err != nil || left == 0 {
		return err
	}
	o.failIf("after it: ", r.run(ctx, again).sound(acceptable...))
	if left, err = worktrees(ctx, again.dir); left > 0 {
		o.failf("%d git worktrees are left behind the next hone bench", left)
		_, bad := git(ctx, again.dir, "worktree", "prune", "--expire", "now")
		err = errors.Join(err, bad)
	}
	return err
}

// judgeNext judges a command after a kill: code 0 within the budget.
func (o *outcome) judgeNext(d ran) {
	o.failIf("after it: ", d.sound(0))
	if d.cpu > nextBudget {
		o.failf("after it: %s took %.1f s of CPU", d.name(), d.cpu.Seconds())
	}
}

// judgeRuns judges what the ledger holds after a kill, right after it (first: by a reader)
// and behind the next writer, and says whether the kill left a crashed run.
func judgeRuns(o *outcome, before contents, first map[string]string, after contents) (hit bool) {
	for _, id := range slices.Sorted(maps.Keys(before.Runs)) {
		was := before.Runs[id]
		switch is, there := after.Runs[id]; {
		case !there:
			o.failf("run %s, %s before the kill, is lost", id, was.Status)
		case is != was:
			o.failf("run %s, %s before the kill, is not what it was", id, was.Status)
		}
		if first != nil && first[id] != was.Status {
			o.failf("run %s, %s before the kill, is %q for a reader", id, was.Status, first[id])
		}
	}
	for _, file := range slices.Sorted(maps.Keys(before.Files)) {
		if after.Files[file] != before.Files[file] {
			o.failf("file %s of an earlier run is not what it was", file)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(first)) {
		status := first[id]
		if _, old := before.Runs[id]; old {
			continue
		}
		if status == crashed {
			hit = true
		}
		if !slices.Contains(ended, status) {
			o.failf("run %s is %q for a reader after the kill", id, status)
		}
		if is := after.Runs[id].Status; is != status {
			o.failf("run %s is %s for a reader after the kill, and %q behind the next writer", id, status, is)
		}
	}
	return hit
}

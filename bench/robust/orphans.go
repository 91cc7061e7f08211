package robust

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"time"
)

var orphans = &kind{
	Name: "orphans",
	Does: "hone runs or compares a service whose children are hard to end: in a session of their own, orphans of a parent that has ended, " +
		"deaf to SIGTERM, without the environment that they were given. Then SIGKILL meets hone, its guard, both, or hone with its guard and its backup, when the " +
		"children live or, in every fourth trial, at a moment drawn evenly from the start on.",
	Fails: "a process of that hone, found by its environment or noted as a descendant before the kill, that lives 5 s later; " +
		"a hone that goes on for more than 30 s without its guard, or ends with 0 then. Hit are the kills that met all that they were meant for, with children alive.",
	Default: 200,
	Run:     orphan,
}

// volley is whom SIGKILL meets. The guard is the parent of the program, the backup that of
// the guard.
type volley struct {
	name                string
	hone, guard, backup bool
	// pause is between the two, the guard first.
	pause time.Duration
}

var volleys = []volley{
	{name: "hone", hone: true},
	{name: "guard", guard: true},
	{name: "hone and guard", hone: true, guard: true},
	{name: "guard, then hone", hone: true, guard: true, pause: 5 * time.Millisecond},
	{name: everyGuard, hone: true, guard: true, backup: true},
}

const everyGuard = "hone, guard and backup"

// backupName is the name of the backup's process; the guard has another one.
const backupName = "subject-backup"

// aloneBudget is how long hone may go on without its guard.
const aloneBudget = 30 * time.Second

// orphan is one trial.
func orphan(ctx context.Context, r *rig, t trial) (outcome, error) {
	v := volleys[t.Number%len(volleys)]
	p, err := r.ensureProject(ctx)
	if err != nil {
		return outcome{}, err
	}
	args, name := shelter(t.Random)
	o := outcome{What: v.name, Point: name}
	hone, err := r.start(ctx, command{dir: p.dir, args: args})
	if err != nil {
		return o, err
	}
	early := t.Random.IntN(4) == 0
	settle := time.Duration(t.Random.IntN(300)) * time.Millisecond
	if early {
		settle = time.Duration(t.Random.IntN(3000)) * time.Millisecond
	} else if err := hone.await(ctx, "the children live",
		func() bool { return livingChildren(hone) >= children }); err != nil {
		hone.kill()
		endAll(survivors(hone.tag, nil))
		return o, errors.Join(err, hone.wait(generous).sound(0))
	}
	select {
	case <-time.After(settle): // the random moment of the fault
	case <-hone.ended:
	}
	noted := below(hone.cmd.Process.Pid)
	met := v.fire(r, hone, noted)
	o.Point += fmt.Sprintf(", %d processes, %d guards", len(noted), met)
	o.Hit = !early && (met > 0 || !v.guard)
	d := hone.wait(aloneBudget)
	if !v.hone && met > 0 {
		judgeAlone(&o, d)
	}
	judgeSurvivors(&o, afterwards(hone.tag, noted))
	return o, ctx.Err()
}

// shelter draws what hone does with the program that has children.
func shelter(random *rand.Rand) (args []string, name string) {
	const program = "./tree"
	load := []string{"-c", "2", "--warmup", "50ms", "--no-profile", "--quiet", "--target", "http://127.0.0.1:{port}/"}
	service := []string{"--", "-addr", "127.0.0.1:{port}"}
	switch random.IntN(3) {
	case 0:
		return slices.Concat([]string{"run", program, "-d", "60s"}, load, service), "run"
	case 1:
		return slices.Concat([]string{"compare", program, program, "--budget", "60s"}, load, service), "compare"
	default:
		return []string{"run", "--once", program, "--quiet"}, "run --once"
	}
}

// children are the processes of the tree: the main one and those that it starts.
const children = 6

// livingChildren counts the processes of the tree below hone.
func livingChildren(hone *running) (n int) {
	for _, p := range below(hone.cmd.Process.Pid) {
		if p.name == "tree" {
			n++
		}
	}
	return n
}

// fire kills, and returns how many guards it met. They are hone's own binary below hone.
func (v volley) fire(r *rig, hone *running, noted []process) (guards int) {
	if v.guard {
		for _, p := range noted {
			isGuard := p.program == r.hone && (v.backup || p.name != backupName)
			if isGuard && syscall.Kill(p.pid, syscall.SIGKILL) == nil {
				guards++
			}
		}
		time.Sleep(v.pause) // not a wait for anything: part of the fault
	}
	if v.hone {
		hone.kill()
	}
	return guards
}

// judgeAlone judges a hone whose guard was killed.
func judgeAlone(o *outcome, d ran) {
	switch died := d.died(); {
	case d.hung:
		o.failf("hone went on for %v without its guard", aloneBudget)
	case died != "":
		o.failf("hone died without its guard: %s", died)
	case d.code == 0:
		o.failf("hone ended with code 0 although its guard was killed")
	}
}

func judgeSurvivors(o *outcome, left []process) {
	if len(left) == 0 {
		return
	}
	var names []string
	for _, p := range left {
		names = append(names, fmt.Sprintf("%s (%d)", p.name, p.pid))
	}
	o.failf("%d processes live %v later: %s", len(left), allowed, strings.Join(names, ", "))
}

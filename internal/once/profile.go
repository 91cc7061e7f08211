package once

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/prof"
)

const (
	// A pass of the CPU profile takes an eighth of the time that the program ran so far,
	// within these bounds. What is under way when the program ends is lost, so a pass may
	// not be long; but each costs a tenth of a second or so in which nothing is seen,
	// until the runtime has put the profile together.
	shortestPass = 100 * time.Millisecond
	longestPass  = 2 * time.Second
	passShare    = 8
	// endPatience is how long a program may take to end after its probe went silent.
	endPatience = 2 * time.Second
)

// captured are the kinds of profiles, in the order in which they are listed.
var captured = []string{"cpu", "allocs", "heap"}

// profile executes the program once more, not timed, with profiles. A profile that cannot
// be had is a warning; the error is that of an interruption or of the storage.
func (m *measurement) profile(ctx context.Context, t *trial) error {
	if !t.binary.Probed {
		t.warn("%s", whyNoProbe(t))
		return nil
	}
	m.Progress.Phase(m.phase("profile", t, 1), 0)
	p, err := subject.StartOnce(ctx, t.binary, subject.StartOptions{
		Guard: m.Guard, Dir: m.request.Dir, Args: m.request.Args, Grace: m.request.Grace, ProbeDir: m.tmp, DataDir: m.tmp,
	})
	if err != nil {
		return notExecuted(err)
	}
	c := &capturing{process: p, probe: subject.ProbeAt(p.ProbeSocket()), rate: m.request.ProfileRate, began: time.Now(), counts: map[string][]byte{}}
	alive, end := context.WithCancel(ctx)
	defer end()
	if m.request.MaxTime > 0 {
		alive, end = context.WithTimeout(alive, m.request.MaxTime)
		defer end()
	}
	go func() { // ends with the program, which await ends at the latest
		<-p.Done()
		end()
	}()
	c.run(alive)
	spent, err := m.await(ctx, t, p)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.warn("the execution with profiles failed (--no-profile leaves it out): %v", err)
	}
	return t.keep(c, spent)
}

// whyNoProbe says why there are no profiles, and what would change that.
func whyNoProbe(t *trial) string {
	switch b := t.binary; {
	case b.Variant.NoInject || b.GoVersion != "" && b.Command != nil:
		return "no profiles: the program was built without the probe"
	case b.GoVersion != "":
		return "no profiles: the program has no probe in it; name its main package in its place, and hone builds it with one"
	default:
		return "no profiles: they are taken of Go programs"
	}
}

// capturing is the profiles of one execution.
type capturing struct {
	process *subject.Process
	probe   *subject.Probe
	rate    int
	began   time.Time
	cpu     []prof.Capture    // one: all passes put together; none before the first
	passes  int               // how many
	counts  map[string][]byte // of the kinds that count from the start, the latest
	counted time.Duration     // when they were taken, since the start
	fault   error             // what ended the passes before the program did
}

// run takes passes, one after the other, until alive ends.
func (c *capturing) run(alive context.Context) {
	if !c.listening(alive) {
		return
	}
	for c.fault == nil && alive.Err() == nil {
		if err := c.pass(alive); err != nil {
			// A program that ends breaks the connection a moment before its end is known.
			select {
			case <-alive.Done():
			case <-time.After(endPatience):
				c.fault = err
			}
		}
	}
}

// listening waits for the probe's socket, which is there before main begins.
func (c *capturing) listening(alive context.Context) bool {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if _, err := os.Stat(c.process.ProbeSocket()); err == nil {
			return true
		}
		select {
		case <-alive.Done():
			return false
		case <-time.After(pause):
		}
	}
}

// pass takes one CPU profile, and what was counted by then.
func (c *capturing) pass(ctx context.Context) error {
	d := min(max(time.Since(c.began)/passShare, shortestPass), longestPass)
	data, err := c.probe.CPUProfile(ctx, d, c.rate)
	if err != nil {
		return fmt.Errorf("capture cpu profile: %w", err)
	}
	p, err := prof.Parse(bytes.NewReader(data), prof.Limits{})
	if err != nil {
		return fmt.Errorf("read cpu profile: %w", err)
	}
	sum, err := prof.MergeCaptures(append(c.cpu, prof.Capture{Kind: "cpu", Profile: p, Duration: d}))
	if err != nil {
		return err
	}
	c.cpu, c.passes = []prof.Capture{sum}, c.passes+1
	for _, kind := range captured[1:] {
		counts, err := c.probe.Profile(ctx, subject.ProfileKind(kind), 0)
		if err != nil {
			return fmt.Errorf("capture %s profile: %w", kind, err)
		}
		c.counts[kind] = counts
	}
	c.counted = time.Since(c.began)
	return nil
}

// keep stores what was captured. The operation that costs are divided by is the
// execution: there was one.
func (t *trial) keep(c *capturing, spent subject.Spent) error {
	if c.fault != nil {
		t.warn("profiles incomplete: %v", c.fault)
	}
	t.captures = map[string]prof.Capture{}
	t.profiled = &Profiled{Spent: spent, Passes: c.passes}
	if c.passes == 0 {
		if c.fault == nil {
			t.warn("no profiles: the program ended after %v, before the first %v of a CPU profile could be had: give it more to do",
				spent.Real.Round(time.Millisecond), shortestPass)
		}
		return nil
	}
	cpu := c.cpu[0]
	cpu.Operations = 1
	t.captures["cpu"] = cpu
	for kind, data := range c.counts {
		p, err := prof.Parse(bytes.NewReader(data), prof.Limits{})
		if err != nil {
			t.warn("read %s profile: %v", kind, err)
			continue
		}
		t.captures[kind] = prof.Capture{Kind: kind, Profile: p, Operations: 1, Duration: c.counted}
	}
	for _, kind := range captured {
		one, ok := t.captures[kind]
		if !ok {
			continue
		}
		var b bytes.Buffer
		if err := one.Write(&b); err != nil {
			return err
		}
		if _, err := t.draft.AddArtefact("profile", kind+".pb.gz", &b); err != nil {
			return err
		}
	}
	return t.scaleCPU(cpu, spent)
}

// scaleCPU notes how much of the CPU time the profile saw, and lets what the timed
// executions took stand for the whole of it: what the profile missed is divided up as
// what it saw.
func (t *trial) scaleCPU(cpu prof.Capture, spent subject.Spent) error {
	total, err := cpu.Total(prof.CostOptions{Module: t.binary.Module})
	if err != nil {
		delete(t.captures, "cpu")
		t.warn("nothing to see in the CPU profile: %v", err)
		return nil
	}
	if spent.CPU() > 0 {
		t.profiled.CPUShare = min(1, (total.PerRequest+total.Observer)/float64(spent.CPU()))
	}
	if f := FactsOf(good(t.executions)); f != nil {
		cpu.PerRequest = f.CPU.Median
		t.captures["cpu"] = cpu
	}
	return nil
}

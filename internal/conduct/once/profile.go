package once

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/store/record"
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

// Kinds are the kinds of profiles that are taken, in the order in which they are listed.
var Kinds = []string{"cpu", "allocs", "heap"}

// Profiles are those of one more execution, which is not timed. The operation that costs are
// divided by is the execution: there was one.
type Profiles struct {
	// Profiled is nil if there was no such execution.
	Profiled *record.ProfiledExecution
	Captures map[string]prof.Capture
	Warnings []string
}

func (p *Profiles) warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// Profile executes the program once more, with profiles; cpuRate is in ticks per second of CPU
// time, 0 for the usual 100. A profile that is missing is a warning; the error is that of ctx,
// or of a program that could not be started.
func (r Runner) Profile(ctx context.Context, p Program, cpuRate int) (out Profiles, err error) {
	if !p.Probed {
		out.warn("%s", whyNoProbe(p.Binary))
		return out, nil
	}
	started, err := r.start(ctx, p, subject.StartOptions{ProbeDir: r.Tmp})
	if err != nil {
		return out, err
	}
	c := &capturing{process: started, probes: started.Probes(), rate: cpuRate, began: time.Now(),
		counts: map[string][]byte{}}
	alive, end := context.WithCancel(ctx)
	defer end()
	if r.MaxTime > 0 {
		alive, end = context.WithTimeout(alive, r.MaxTime)
		defer end()
	}
	go func() { // ends with the program, which await ends at the latest
		<-started.Done()
		end()
	}()
	c.run(alive)
	ending, err := r.await(ctx, p, started)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if ending.Warning != "" {
		out.warn("%s", ending.Warning)
	}
	if err != nil {
		out.warn("the execution with profiles failed (--no-profile leaves it out): %v", err)
	}
	out.take(c, ending.Spent)
	return out, nil
}

// whyNoProbe says why there are no profiles, and what would change that.
func whyNoProbe(b *build.Binary) string {
	switch {
	case b.Variant.NoInject || b.GoVersion != "" && b.Command != nil:
		return "no profiles: the program was built without the probe"
	case b.GoVersion != "":
		return "no profiles: the program has no probe; name its main package instead, and hone builds it with the probe"
	default:
		return "no profiles: they are taken of Go programs"
	}
}

// capturing is the profiles of one execution.
type capturing struct {
	process *subject.Process
	probes  *probeclient.Probes
	rate    int
	began   time.Time
	cpu     []prof.Capture    // one: all passes put together; none before the first
	passes  int               // how many
	refused int               // how many there are not, since the program took one of itself
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
	if err := c.passCPU(ctx, d); err != nil {
		return err
	}
	for _, kind := range Kinds[1:] {
		counts, err := c.probes.Main().Profile(ctx, probeclient.ProfileKind(kind), 0)
		if err != nil {
			return fmt.Errorf("capture %s profile: %w", kind, err)
		}
		c.counts[kind] = counts
	}
	c.counted = time.Since(c.began)
	return nil
}

// passCPU takes one CPU profile; while the program takes one of itself it waits as long.
func (c *capturing) passCPU(ctx context.Context, d time.Duration) error {
	data, err := c.probes.Main().CPUProfile(ctx, d, c.rate)
	if errors.As(err, new(*probeclient.InUseError)) {
		c.refused++
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
		return nil
	}
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
	return nil
}

// take parses what was captured.
func (p *Profiles) take(c *capturing, spent usage.Spent) {
	if c.fault != nil {
		p.warn("profiles incomplete: %v", c.fault)
	}
	p.Captures = map[string]prof.Capture{}
	p.Profiled = &record.ProfiledExecution{Spent: spent, Passes: c.passes}
	if c.refused > 0 {
		p.warn("profiles incomplete: %d of %d CPU profiles are missing: the program took one of itself, and there "+
			"can be one at a time",
			c.refused, c.refused+c.passes)
	}
	if c.passes+c.refused == 0 && c.fault == nil {
		p.warn("no profiles: the program ended after %v, before the end of the first CPU profile, of %v: give it "+
			"more to do",
			spent.Real.Round(time.Millisecond), shortestPass)
	}
	if c.passes > 0 {
		cpu := c.cpu[0]
		cpu.Operations = 1
		p.Captures["cpu"] = cpu
	}
	for kind, data := range c.counts {
		one, err := prof.Parse(bytes.NewReader(data), prof.Limits{})
		if err != nil {
			p.warn("read %s profile: %v", kind, err)
			continue
		}
		p.Captures[kind] = prof.Capture{Kind: kind, Profile: one, Operations: 1, Duration: c.counted}
	}
}

// ScaleCPU notes how much of the CPU time the profile saw, and lets what the timed
// executions took stand for the whole of it: what the profile missed is divided up as
// what it saw.
func (p *Profiles) ScaleCPU(module string, timed *record.ExecutionFacts) {
	cpu, ok := p.Captures["cpu"]
	if !ok {
		return
	}
	total, err := cpu.Total(prof.CostOptions{Module: module})
	if err != nil {
		delete(p.Captures, "cpu")
		p.warn("nothing to see in the CPU profile: %v", err)
		return
	}
	if whole := p.Profiled.Spent.CPU(); whole > 0 {
		p.Profiled.CPUShare = min(1, (total.PerRequest+total.Observer)/float64(whole))
	}
	if timed != nil {
		cpu.PerRequest = timed.CPU.Median
		p.Captures["cpu"] = cpu
	}
}

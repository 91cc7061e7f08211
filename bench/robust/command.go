package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// command is one start of hone.
type command struct {
	dir  string // where it runs; empty: where this program does
	args []string
	// most is how long it may take before it is killed and has hung; 0 means generous.
	most time.Duration
}

// generous is how long a command may take that nothing is measured about: machines are
// shared.
const generous = 2 * time.Minute

// ran is what became of it.
type ran struct {
	args           []string
	stdout, stderr []byte
	code           int            // -1 if a signal ended it, or it could not be started
	signal         syscall.Signal // that ended it, 0 if none did
	cpu, wall      time.Duration  // user and system time, with children that it waited for
	peak           int64          // bytes: its largest resident set
	hung           bool           // it was killed because its time was up
	err            error          // why it could not be started, or its output not be read
}

// running is a hone at work. Its descendants carry its tag.
type running struct {
	cmd     *exec.Cmd
	tag     tag
	output  string // path of the files .stdout and .stderr, which wait removes
	started time.Time
	// ended is closed when it has ended, by the goroutine of start, and took is set then.
	ended chan struct{}
	took  time.Duration
}

// start starts hone with a tag of its own. Its output goes to files: a pipe would be open as
// long as any descendant lives, and the end of hone not be seen before. The goroutine that
// waits for it ends with it.
func (r *rig) start(ctx context.Context, c command) (_ *running, err error) {
	r.named++
	p := &running{tag: tag(fmt.Sprintf("%s=%d-%d", tagName, os.Getpid(), r.named)),
		output: filepath.Join(r.dir, fmt.Sprint("output-", r.named)), ended: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, r.hone, c.args...)
	p.cmd.Dir = c.dir
	p.cmd.Env = append(os.Environ(), string(p.tag), "TMPDIR="+r.temporary(), "GOFLAGS=-buildvcs=false")
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for this program
	for name, to := range map[string]*io.Writer{".stdout": &p.cmd.Stdout, ".stderr": &p.cmd.Stderr} {
		f, err := os.Create(p.output + name)
		if err != nil {
			return nil, fmt.Errorf("start hone: %w", err)
		}
		defer f.Close()
		*to = f
	}
	p.started = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start hone: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // how it ended is in ProcessState
		p.took = time.Since(p.started)
	}()
	return p, nil
}

// kill ends hone alone, by SIGKILL, and says whether it was still there.
func (p *running) kill() bool {
	select {
	case <-p.ended:
		return false
	default:
		return p.cmd.Process.Kill() == nil
	}
}

// wait waits for its end, or kills it after most. Only time counts in which this program was
// not held up itself: a machine that stands still is not a fault of hone's.
func (p *running) wait(most time.Duration) ran {
	const beat = 100 * time.Millisecond
	tick := time.NewTicker(beat) // ticks that could not be had in time are dropped
	defer tick.Stop()
	for left := most; left > 0; left -= beat {
		select {
		case <-p.ended:
			return p.result(false)
		case <-tick.C:
		}
	}
	_ = p.cmd.Process.Kill()
	<-p.ended
	return p.result(true)
}

// await waits until something is so, as long as hone runs and for no longer than generous.
func (p *running) await(ctx context.Context, what string, isSo func() bool) error {
	for end := time.Now().Add(generous); time.Now().Before(end); {
		if isSo() {
			return nil
		}
		select {
		case <-p.ended:
			return fmt.Errorf("wait until %s: hone ended before", what)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return fmt.Errorf("wait until %s: not within %v", what, generous)
}

// result reads what the end of hone left.
func (p *running) result(hung bool) ran {
	d := ran{args: p.cmd.Args[1:], code: -1, wall: p.took, hung: hung}
	var faults [2]error
	d.stdout, faults[0] = os.ReadFile(p.output + ".stdout")
	d.stderr, faults[1] = os.ReadFile(p.output + ".stderr")
	d.err = errors.Join(faults[0], faults[1], os.Remove(p.output+".stdout"), os.Remove(p.output+".stderr"))
	if s := p.cmd.ProcessState; s != nil {
		d.code, d.cpu = s.ExitCode(), s.UserTime()+s.SystemTime()
		if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			d.signal = status.Signal()
		}
		if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
			d.peak = int64(usage.Maxrss) << 10 // getrusage(2): in kB
		}
	}
	return d
}

// run runs hone to its end, and ends what it leaves behind.
func (r *rig) run(ctx context.Context, c command) ran {
	p, err := r.start(ctx, c)
	if err != nil {
		return ran{args: c.args, code: -1, err: err}
	}
	d := p.wait(cmp.Or(c.most, generous))
	if d.hung {
		endAll(p.tag.processes())
	}
	return d
}

// panicMarks begin lines of what the Go runtime writes when a program dies of itself.
var panicMarks = []string{"panic: ", "fatal error: ", "unexpected fault address", "SIGSEGV", "runtime: "}

// died says how hone died of itself, by a panic, a fatal error or a signal that was not
// ours; empty if it did not.
func (d ran) died() string {
	for line := range strings.Lines(string(d.stderr)) {
		for _, mark := range panicMarks {
			if strings.HasPrefix(line, mark) {
				return strings.TrimSpace(line)
			}
		}
	}
	if d.signal != 0 && !d.hung {
		return "ended by signal " + d.signal.String()
	}
	return ""
}

// sound judges what every hone must keep to: it starts, does not die of itself, does not
// hang, and ends with one of the codes.
func (d ran) sound(codes ...int) error {
	switch died := d.died(); {
	case d.err != nil:
		return d.err
	case died != "":
		return fmt.Errorf("%s died: %s", d.name(), died)
	case d.hung:
		return fmt.Errorf("%s hung and was killed after %.1f s", d.name(), d.wall.Seconds())
	case slices.Contains(codes, d.code):
		return nil
	}
	return fmt.Errorf("%s ended with code %d, want one of %v: %s", d.name(), d.code, codes, lastLine(d.stderr))
}

// name is the command without its flags.
func (d ran) name() string {
	words := []string{"hone"}
	for _, a := range d.args {
		if strings.HasPrefix(a, "-") || len(words) == 3 {
			break
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// lastLine of what hone says about its error, without the hint; bounded: it goes into a line
// of results.
func lastLine(stderr []byte) string {
	said := ""
	for line := range strings.Lines(string(stderr)) {
		if strings.HasPrefix(line, "hone: ") {
			said = line
		}
	}
	if said == "" {
		said = string(stderr[max(0, len(stderr)-200):])
	}
	said = strings.Join(strings.Fields(said), " ")
	return said[:min(len(said), 300)]
}

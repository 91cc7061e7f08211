package probeclient

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// Probes are the probes of all processes of a subject. A server that executes itself for
// its workers has one in each of them (package probe says how); processes come and go while
// the probes are asked. Its methods may be called at the same time.
type Probes struct {
	socket    string // of the main process; those of the others are beside it
	main      int
	processes func() ([]int, error)
}

// NewProbes are the probes of a program: socket is that of its main process, processes lists all of them.
func NewProbes(socket string, main int, processes func() ([]int, error)) *Probes {
	return &Probes{socket: socket, main: main, processes: processes}
}

// Main is the probe of the main process. One that has executed itself anew finds the earlier socket, and has one
// under its own number.
func (p *Probes) Main() *Probe {
	own := p.socket + "." + strconv.Itoa(p.main)
	if info, err := os.Lstat(own); err == nil && info.Mode().Type() == fs.ModeSocket {
		return At(own)
	}
	return At(p.socket)
}

// mostSockets bounds the directory of the sockets, which the subject can write to.
const mostSockets = 4096

// list returns the probes of the processes that live, by PID. The sockets of those that
// have ended are removed.
func (p *Probes) list() (map[int]*Probe, error) {
	all := map[int]*Probe{p.main: p.Main()}
	dir, base := filepath.Split(p.socket)
	d, err := os.Open(dir)
	if err != nil {
		return nil, fail.New(fail.Environment, "list sockets of the probe: %w", err)
	}
	defer d.Close()
	names, _ := d.Readdirnames(mostSockets)
	var living []int
	for _, name := range names {
		number, found := strings.CutPrefix(name, base+".")
		pid, err := strconv.Atoi(number)
		if !found || err != nil || pid == p.main {
			continue
		}
		if living == nil { // a subject of one process is spared the list
			if living, err = p.processes(); err != nil {
				return nil, err
			}
		}
		path := dir + name
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeSocket {
			continue
		}
		if _, alive := processes.Name(pid); !alive || !slices.Contains(living, pid) {
			_ = os.Remove(path)
			continue
		}
		all[pid] = At(path)
	}
	return all, nil
}

// Answers are what the probes of a subject said.
type Answers[T any] struct {
	// Of is by PID; processes that ended meanwhile or kept silent are not in it.
	Of map[int]T
	// Asked are the PIDs of all processes with a probe, in order.
	Asked []int
}

// Each asks the probes of all processes at the same time. The error is that of the main
// process, or of ctx. Another process may be about to end or to start: without an answer it
// counts as one without a probe.
func Each[T any](ctx context.Context, p *Probes, ask func(context.Context, int, *Probe) (T, error)) (Answers[T],
	error) {
	probes, err := p.list()
	if err != nil {
		return Answers[T]{}, err
	}
	a := Answers[T]{Of: map[int]T{}}
	var mu sync.Mutex
	var group sync.WaitGroup
	var fault error
	for pid, probe := range probes {
		a.Asked = append(a.Asked, pid)
		group.Go(func() {
			answer, err := ask(ctx, pid, probe)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				a.Of[pid] = answer
			case pid == p.main:
				fault = err
			}
		})
	}
	group.Wait()
	slices.Sort(a.Asked)
	if fault == nil && ctx.Err() != nil {
		fault = fmt.Errorf("ask the probes: %w", ctx.Err())
	}
	return a, fault
}

// RuntimeMetrics reads the metrics that a Runtime is made of in each process, and more.
func (p *Probes) RuntimeMetrics(ctx context.Context, more ...string) (Answers[Metrics], error) {
	return Each(ctx, p, func(ctx context.Context, _ int, probe *Probe) (Metrics,
		error) {
		return probe.RuntimeMetrics(ctx, more...)
	})
}

// Profiles takes a profile of all processes at the same time, as take asks for it.
func (p *Probes) Profiles(ctx context.Context, take func(context.Context, *Probe) ([]byte, error)) (prof.ByProcess,
	error) {
	answers, err := Each(ctx, p,
		func(ctx context.Context, _ int, probe *Probe) ([]byte, error) { return take(ctx, probe) })
	if err != nil {
		return nil, err
	}
	all := prof.ByProcess{}
	for pid, data := range answers.Of {
		if all[pid], err = prof.Parse(bytes.NewReader(data), prof.Limits{}); err != nil {
			return nil, fmt.Errorf("read profile of PID %d: %w", pid, err)
		}
	}
	return all, nil
}

// HasProfile says whether the main process has such a profile.
func (p *Probes) HasProfile(ctx context.Context, kind ProfileKind) (bool, error) {
	return p.Main().HasProfile(ctx, kind)
}

// Of is the probe of one process; that of the main process if the other has none.
func (p *Probes) Of(pid int) *Probe {
	if probes, err := p.list(); err == nil && probes[pid] != nil {
		return probes[pid]
	}
	return p.Main()
}

// SetRates sets the rates of the block and mutex profiles in each process, and returns the
// mutex fractions that held before; see Probe.SetRates.
func (p *Probes) SetRates(ctx context.Context, blockRate int, mutexFraction func(pid int) int) (before map[int]int,
	err error) {
	a, err := Each(ctx, p, func(ctx context.Context, pid int, probe *Probe) (int, error) {
		return probe.SetRates(ctx, blockRate, mutexFraction(pid))
	})
	return a.Of, err
}

// SetHeapRate sets the rate of the heap profile in each process, and returns those that held
// before; see Probe.SetHeapRate.
func (p *Probes) SetHeapRate(ctx context.Context, rate func(pid int) int) (before map[int]int, err error) {
	a, err := Each(ctx, p, func(ctx context.Context, pid int, probe *Probe) (int, error) {
		return probe.SetHeapRate(ctx, rate(pid))
	})
	return a.Of, err
}

// SetProcs sets GOMAXPROCS in each process, and returns what held before; see Probe.SetProcs.
func (p *Probes) SetProcs(ctx context.Context, procs func(pid int) int) (before map[int]int, err error) {
	a, err := Each(ctx, p, func(ctx context.Context, pid int, probe *Probe) (int, error) {
		return probe.SetProcs(ctx, procs(pid))
	})
	return a.Of, err
}

// longestSocketPath is the shorter of the limits of Linux (107) and macOS (103).
const longestSocketPath = 103

// MakeSocketDir makes a directory of mode 0700 for the sockets of one start, and returns the
// path of the main process's.
func MakeSocketDir(parent string) (socket string, err error) {
	abs, err := filepath.Abs(parent)
	if err != nil {
		return "", fail.New(fail.Environment, "place probe socket: %w", err)
	}
	dir := filepath.Join(abs, tempdir.RandomName())
	// What the probe binds before it moves the socket to its place is the longest path.
	if longest := filepath.Join(dir, ".1234567890", "s"); len(longest) > longestSocketPath {
		return "", fail.New(fail.Environment, "place probe socket: path %s has %d bytes, a Unix socket allows %d",
			longest, len(longest), longestSocketPath).WithHint("choose a shorter directory (TMPDIR)")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fail.New(fail.Storage, "place probe socket: %w", err)
	}
	return filepath.Join(dir, "p"), nil
}

// RemoveSockets removes the directory of a start's sockets, and says whether the main
// process had opened its own.
func RemoveSockets(socket string) (opened bool) {
	err := os.Remove(socket)
	_ = os.RemoveAll(filepath.Dir(socket)) // what stays goes with the directory around it
	return err == nil
}

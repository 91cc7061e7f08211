package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/vitals"
)

// process reads one process from /proc: itself, not its children.
type process struct {
	watched *watched
	proc    procfs.Proc
	born    uint64 // clock ticks since boot: two processes of one number differ in it

	cpu, reads, writes     vitals.Counter
	voluntary, involuntary vitals.Counter
	unheld
}

// processSources are the sources of a process that find tells.
func processSources(w *watched) []source {
	return append([]source{&process{watched: w}}, socketSources(w)...)
}

// socketSources are those that see the connections of a process that is known.
func socketSources(w *watched) []source { return []source{&connections{watched: w}} }

func (p *process) name() string { return "process" }

// mostThreads bounds the threads whose files are read for their context switches: at
// about 20 us each it is a tenth of a core beyond.
const mostThreads = 512

func (p *process) read(context.Context) (vitals.Reading, error) {
	var r vitals.Reading
	if p.watched.now() == 0 {
		if err := p.attach(); err != nil {
			return r, err
		}
	}
	now := time.Now()
	stat, err := p.proc.Stat()
	if err == nil && (stat.Starttime != p.born || stat.State == "Z" || stat.State == "X") {
		err = fs.ErrNotExist
	}
	if vanished(err) {
		p.watched.lose()
		return r, ended{fmt.Errorf("%s has ended", p.watched.about())}
	}
	if err != nil {
		return r, fmt.Errorf("read /proc/%d/stat: %w", p.proc.PID, err)
	}
	r.Threads, r.ResidentBytes = vitals.Of(float64(stat.NumThreads)), vitals.Of(float64(stat.ResidentMemory()))
	if cpu, err := machine.ProcessCPU(p.proc.PID); err == nil {
		r.CPUCores = p.cpu.Rate(now, cpu.Seconds())
	}
	if n, err := p.proc.FileDescriptorsLen(); err == nil {
		r.OpenFiles = vitals.Of(float64(n))
	}
	return r, errors.Join(p.readCalls(&r, now), p.readSwitches(&r, now, stat.NumThreads))
}

// attach finds the process and forgets what an earlier one had counted.
func (p *process) attach() error {
	pid, err := p.watched.find()
	if err != nil {
		return err
	}
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return ended{fmt.Errorf("there is no process %d", pid)}
	}
	stat, err := proc.Stat()
	if err != nil {
		return ended{fmt.Errorf("process %d has ended", pid)}
	}
	*p = process{watched: p.watched, proc: proc, born: stat.Starttime}
	var born time.Time
	if at, err := stat.StartTime(); err == nil {
		born = time.UnixMicro(int64(at * 1e6))
	}
	p.watched.set(pid, stat.Comm, born)
	return nil
}

func (p *process) readCalls(r *vitals.Reading, now time.Time) error {
	io, err := p.proc.IO()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("no system calls: /proc/%d/io belongs to another user", p.proc.PID)
	case vanished(err):
		return nil // the next read says it
	case err != nil:
		return fmt.Errorf("no system calls: %w", err)
	}
	r.ReadCallsPerSec = p.reads.Rate(now, float64(io.SyscR))
	r.WriteCallsPerSec = p.writes.Rate(now, float64(io.SyscW))
	return nil
}

// readSwitches adds up the context switches of the threads: the file of the process has
// those of its first thread only. Those of a thread that has ended are lost, which looks
// like a counter that began again: such a reading has no rate.
func (p *process) readSwitches(r *vitals.Reading, now time.Time, threads int) error {
	if threads > mostThreads {
		return fmt.Errorf("no context switches: they stand in a file for each of the %d threads", threads)
	}
	tasks, err := procfs.AllThreads(p.proc.PID)
	if err != nil {
		return nil // the next read says it
	}
	var voluntary, involuntary uint64
	for _, t := range tasks {
		status, err := t.NewStatus()
		if err != nil {
			continue // ended meanwhile
		}
		voluntary += status.VoluntaryCtxtSwitches
		involuntary += status.NonVoluntaryCtxtSwitches
	}
	r.VoluntaryPerSec = p.voluntary.Grow(now, float64(voluntary))
	r.InvoluntaryPerSec = p.involuntary.Grow(now, float64(involuntary))
	return nil
}

// vanished says that there is no such process any more.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

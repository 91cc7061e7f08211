package usage

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/sys/processes"
)

// Peak finds the peak of small programs. Linux hands the largest resident set of a
// process on through exec, and a child of vfork has that of its parent until then, so
// ru_maxrss of whatever the guard starts is never under the guard's own (mm_release in
// the kernel's fork.c, exec_mmap in exec.c). Over that it is exact; for what stays under
// it, the high-water mark of each process is read from time to time while it lives.
type Peak struct {
	floor int64 // bytes
	most  int64 // of all readings, bytes; set before over is closed
	stop  chan struct{}
	over  chan struct{}
}

// Pauses between two readings. The mark only rises, so what a late reading shows is
// close to the end; a program that runs a millisecond has none.
const (
	firstPeakPause = time.Millisecond
	lastPeakPause  = 20 * time.Millisecond
)

// WatchPeak begins to read; nil if it is not wanted.
func WatchPeak(wanted bool, main int) *Peak {
	if !wanted {
		return nil
	}
	p := &Peak{floor: highWater(os.Getpid()), stop: make(chan struct{}), over: make(chan struct{})}
	go p.run(main)
	return p
}

// run reads until a process is over the floor, where wait4 knows better, or until settle.
func (p *Peak) run(main int) {
	defer close(p.over)
	for pause := firstPeakPause; ; pause = min(2*pause, lastPeakPause) {
		for _, pid := range processes.Below(os.Getpid(), main) {
			p.most = max(p.most, highWater(pid))
		}
		if p.most > p.floor {
			return
		}
		select {
		case <-p.stop:
			return
		case <-time.After(pause):
		}
	}
}

// Settle ends the reading and corrects what wait4 could not know.
func (p *Peak) Settle(s *Spent) {
	if p == nil {
		return
	}
	close(p.stop)
	<-p.over
	switch {
	case s.MaxResident > p.floor:
	case p.most > 0:
		s.MaxResident = p.most
	default:
		s.AtMost = true
	}
}

// highWater is the largest resident set that a process had since its exec, bytes; 0 if
// it has ended.
func highWater(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	return parseHighWater(text)
}

// parseHighWater finds VmHWM in the text of /proc/PID/status (proc(5)), in bytes; 0
// where it is not, as in that of a zombie.
func parseHighWater(text []byte) int64 {
	_, rest, _ := bytes.Cut(text, []byte("\nVmHWM:"))
	line, _, found := bytes.Cut(rest, []byte(" kB\n"))
	kB, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	if !found || err != nil || kB < 0 || kB > math.MaxInt64>>10 {
		return 0
	}
	return kB << 10
}

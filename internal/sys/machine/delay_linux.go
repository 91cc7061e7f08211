package machine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// How often a process is read: each wait is then known to so much. The reading of some ten threads takes 50 us of a CPU
// that the process should not have. threadsEvery is how many readings lie between two lists of the threads, and
// between two looks at the host's share.
const (
	delaysEvery  = 2 * time.Millisecond
	threadsEvery = 5
	// mostThreads bounds how many are read: Go runs on as many as there are CPUs, the others sleep in system calls.
	mostThreads = 200
)

// Delays watches the threads of a process.
type Delays struct {
	stop  chan struct{}
	found chan []Delay
}

// WatchDelays begins to watch a process that may use so many CPUs. Its goroutine ends with End, which has to be called.
func WatchDelays(pid, cpus int) *Delays {
	d := &Delays{stop: make(chan struct{}), found: make(chan []Delay, 1)}
	go func() {
		w := threadReader{pid: pid, files: map[int64]*os.File{}}
		defer w.close()
		d.found <- w.watch(d.stop, &account{cpus: cpus})
	}()
	return d
}

// End ends the watch and says what was found.
func (d *Delays) End() []Delay {
	close(d.stop)
	return <-d.found
}

// threadReader reads the files of a process, which it keeps open.
type threadReader struct {
	pid    int
	stat   *os.File
	quotas []cgroup.Part      // groups with a quota that it is in
	files  map[int64]*os.File // schedstat of each thread
	buffer [512]byte
}

func (w *threadReader) watch(stop <-chan struct{}, a *account) []Delay {
	w.stat, _ = os.Open(fmt.Sprintf("/proc/%d/stat", w.pid))
	w.quotas = groupsWithQuota("/", w.pid)
	every := time.NewTicker(delaysEvery)
	defer every.Stop()
	for i := 0; ; i++ {
		if i%threadsEvery == 0 {
			w.list()
			a.steal(monotonic(), ReadCPUTimes().steal)
		}
		a.add(w.read())
		select {
		case <-stop:
			return a.end()
		case <-every.C:
		}
	}
}

// list opens the files of threads that are new.
func (w *threadReader) list() {
	dir := fmt.Sprintf("/proc/%d/task", w.pid)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		id, err := strconv.ParseInt(e.Name(), 10, 64)
		if err != nil || w.files[id] != nil || len(w.files) >= mostThreads {
			continue
		}
		if f, err := os.Open(dir + "/" + e.Name() + "/schedstat"); err == nil {
			w.files[id] = f
		}
	}
}

// read reads all threads. One that has ended is left out from then on.
func (w *threadReader) read() reading {
	r := reading{threads: make(map[int64]threadClock, len(w.files))}
	for id, f := range w.files {
		c, ok := parseSchedstat(w.text(f))
		if !ok {
			_ = f.Close()
			delete(w.files, id)
			continue
		}
		r.threads[id] = c
	}
	for _, dir := range w.quotas {
		r.quota += throttledOf(dir)
	}
	r.at = monotonic()
	r.stopped = isStopped(w.text(w.stat))
	return r
}

func (w *threadReader) text(f *os.File) string {
	if f == nil {
		return ""
	}
	n, _ := f.ReadAt(w.buffer[:], 0) // io.EOF, or an error with nothing read
	return string(w.buffer[:n])
}

func (w *threadReader) close() {
	if w.stat != nil {
		_ = w.stat.Close()
	}
	for _, f := range w.files {
		_ = f.Close()
	}
}

// parseSchedstat reads the three numbers of a thread: nanoseconds that it ran, that it waited to run, and how often it
// ran.
func parseSchedstat(text string) (c threadClock, ok bool) {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return c, false
	}
	ran, err := strconv.ParseInt(fields[0], 10, 64)
	waited, err2 := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || err2 != nil || ran < 0 || waited < 0 {
		return c, false
	}
	return threadClock{time.Duration(ran), time.Duration(waited)}, true
}

// isStopped says whether the text of /proc/PID/stat is that of a process that a signal or a debugger has stopped.
func isStopped(text string) bool {
	i := strings.LastIndexByte(text, ')')
	return i >= 0 && i+2 < len(text) && (text[i+2] == 'T' || text[i+2] == 't')
}

// monotonic reads the clock of the runtime's traces.
func monotonic() int64 {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0
	}
	return now.Nano()
}

package machine

import (
	"os"
	"testing"
	"time"
)

func TestSchedstat(t *testing.T) {
	for text, want := range map[string]threadClock{
		"579501 70542 1\n": {579501, 70542}, "": {}, "1 2": {}, "-1 2 3": {}, "x y z": {},
	} {
		if got, ok := parseSchedstat(text); got != want || ok != (want.ran > 0) {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
	for text, want := range map[string]bool{
		"7 (a) T) S 1 2": false, "7 (a) S) T 1 2": true, "7 (a) t": true, "": false, "7 (a)": false,
	} {
		if isStopped(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// The threads of a process can be read, and a process that is gone has none.
func TestThreadsOfAProcess(t *testing.T) {
	w := threadReader{pid: os.Getpid(), files: map[int64]*os.File{}}
	defer w.close()
	w.list()
	r := w.read()
	if len(r.threads) == 0 || r.at == 0 {
		t.Skipf("this kernel counts no waits of threads: %+v", r)
	}
	ran := time.Duration(0)
	for _, c := range r.threads {
		ran += c.ran
	}
	if ran <= 0 {
		t.Errorf("it ran %v", ran)
	}
	d := WatchDelays(1<<22+1, 1) // above every PID (proc_sys_kernel(5), pid_max)
	if got := d.End(); len(got) != 0 {
		t.Errorf("of no process: %v", got)
	}
}

func FuzzSchedstat(f *testing.F) {
	f.Add("579501 70542 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if c, ok := parseSchedstat(text); ok && (c.ran < 0 || c.waited < 0) {
			t.Errorf("%q: %v", text, c)
		}
	})
}

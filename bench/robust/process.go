package robust

import (
	"slices"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// tagName is the environment variable that marks a hone and its descendants.
const tagName = "HONE_ROBUST_TRIAL"

// tag is NAME=VALUE in the environment of one hone, which its descendants inherit.
type tag string

// process is one in /proc. Its start tells it from a later one of the same number.
type process struct {
	pid, parent int
	start       uint64 // in ticks since the machine booted
	name        string
	program     string // path of its executable; empty where it cannot be read
}

// allProcesses lists the processes that live. Zombies are dead and only wait to be
// noticed.
func allProcesses() []process {
	procs, err := procfs.AllProcs()
	if err != nil {
		return nil
	}
	var all []process
	for _, p := range procs {
		s, err := p.Stat()
		if err != nil || s.State == "Z" || s.State == "X" {
			continue // it has ended
		}
		program, _ := p.Executable() // a kernel thread has none
		all = append(all, process{p.PID, s.PPID, s.Starttime, s.Comm, program})
	}
	return all
}

// processes lists the living processes with the tag.
func (t tag) processes() []process {
	return slices.DeleteFunc(allProcesses(), func(p process) bool {
		proc, err := procfs.NewProc(p.pid)
		if err != nil {
			return true
		}
		env, err := proc.Environ()
		return err != nil || !slices.Contains(env, string(t))
	})
}

// below lists the living descendants of a process, parents before children.
func below(root int) []process {
	all := allProcesses()
	parents := map[int]bool{root: true}
	var found []process
	for {
		before := len(found)
		for _, p := range all {
			if parents[p.parent] && !parents[p.pid] {
				parents[p.pid] = true
				found = append(found, p)
			}
		}
		if len(found) == before {
			return found
		}
	}
}

// survivors lists who lives of those with the tag and of those noted before: a program may
// take the tag out of its environment.
func survivors(t tag, noted []process) []process {
	left := t.processes()
	for _, p := range allProcesses() {
		is := func(o process) bool { return o.pid == p.pid && o.start == p.start }
		if slices.ContainsFunc(noted, is) && !slices.ContainsFunc(left, is) {
			left = append(left, p)
		}
	}
	return left
}

// allowed is how long processes may take to end when hone was killed (fault 11).
const allowed = 5 * time.Second

// afterwards waits until there are no survivors, for as long as is allowed, and returns
// those that are left, having ended them.
func afterwards(t tag, noted []process) []process {
	for end := time.Now().Add(allowed); ; time.Sleep(20 * time.Millisecond) {
		left := survivors(t, noted)
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(end) {
			endAll(left)
			return left
		}
	}
}

// endAll kills processes. They were read a moment ago: a number is not given anew so soon.
func endAll(all []process) {
	for _, p := range all {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

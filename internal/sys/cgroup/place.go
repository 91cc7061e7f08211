package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/text/fail"
)

// host is where the files of the kernel are: below / but in tests.
type host struct{ root string }

var here = host{"/"}

// made counts the groups of this process, for their names.
var made atomic.Int64

// Place says where a group with these limits can be made; it makes nothing. Make is for the process that starts another
// in it, and has to be of this process's group. Errors are *fail.Error: BadInput for limits that make no sense,
// Environment where this machine has no place, with what it takes.
func Place(l Limits) (Group, error) { return here.place(l) }

// Try makes a group with these limits and removes it again. Errors are those of Place.
func Try(l Limits) error {
	if l == (Limits{}) {
		return nil
	}
	g, err := Place(l)
	if err != nil {
		return err
	}
	if err := g.Make(); err != nil {
		return Refused(err)
	}
	return g.Remove()
}

// Refused is the error of a machine on which no group can be made, with what it takes.
func Refused(err error) *fail.Error {
	return fail.New(fail.Environment, "run the program in a box: %w", err).WithHint(
		"hone has to make a control group: run it as root, or by 'systemd-run --user --scope hone ...'; in a container, " +
			"start the container with these limits (docker run --cpus 0.5 --memory 256m) and hone in it without them; or show " +
			"the runtime the limits alone: --env GOMAXPROCS=1 --env GOMEMLIMIT=230MiB")
}

func (h host) place(l Limits) (g Group, err error) {
	if err := l.Validate(); err != nil {
		return g, fail.New(fail.BadInput, "%w", err)
	}
	cgroup, mounts := h.text("proc/self/cgroup"), h.text("proc/self/mountinfo")
	name := fmt.Sprintf("%s%d-%d", namePrefix, os.Getpid(), made.Add(1))
	g.Limits = l
	wanted := map[string]*Part{}
	if l.CPUs > 0 {
		wanted["cpu"] = &g.CPU
	}
	if l.Memory > 0 {
		wanted["memory"] = &g.Memory
	}
	var unified []string // controllers that version 2 has
	var dirs []string    // of its groups
	for _, controller := range []string{"cpu", "memory"} {
		part := wanted[controller]
		if part == nil {
			continue
		}
		around, version1 := Around(cgroup, mounts, controller)
		switch {
		case len(around) == 0:
			return Group{}, Refused(errors.New("this system shows no control groups"))
		case version1:
			*part = Part{Dir: h.in(around[0], name), Version1: true}
		default:
			dirs, unified = around, append(unified, controller)
		}
	}
	if len(unified) == 0 {
		return g, nil
	}
	parent, err := h.delegated(dirs, unified)
	if err != nil {
		return Group{}, Refused(err)
	}
	for _, controller := range unified {
		*wanted[controller] = Part{Dir: filepath.Join(parent, name)}
	}
	return g, nil
}

// delegated is the nearest group of version 2 around this process in which it may make groups that get the controllers.
// A group with processes of its own passes no controllers on (cgroup-v2.rst, "No Internal Process Constraint"), so that
// is hardly ever its own; and a process may only be started in a group below one whose processes this process may move
// ("Delegation Containment").
func (h host) delegated(dirs, controllers []string) (string, error) {
	why := ""
	for _, dir := range dirs {
		full := h.in(dir)
		passed := h.text(strings.TrimPrefix(dir, "/") + "/cgroup.subtree_control")
		switch missing := without(passed, controllers); {
		case len(missing) > 0:
			why = fmt.Sprintf("%s passes no controller %s on to groups in it", dir, strings.Join(missing, ", "))
		case unix.Access(full, unix.W_OK) != nil, unix.Access(filepath.Join(full, "cgroup.procs"), unix.W_OK) != nil:
			why = fmt.Sprintf("this user may make no groups in %s", dir)
		default:
			return full, nil
		}
	}
	return "", errors.New(why)
}

// without are the controllers that are not in a list.
func without(list string, controllers []string) (missing []string) {
	for _, c := range controllers {
		if !hasWord(list, " ", c) {
			missing = append(missing, c)
		}
	}
	return missing
}

func (h host) in(parts ...string) string {
	return filepath.Join(append([]string{h.root}, parts...)...)
}

// text is that of a file of the kernel's; empty if it cannot be read.
func (h host) text(name string) string {
	b, err := os.ReadFile(filepath.Join(h.root, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// namePrefix begins the name of each group; the PID of the hone that made it follows.
const namePrefix = "hone-"

// Sweep removes the groups that hones have left which were killed together with all their guards. Those with processes
// stay.
func Sweep() { here.sweep() }

func (h host) sweep() {
	cgroup, mounts := h.text("proc/self/cgroup"), h.text("proc/self/mountinfo")
	for _, controller := range []string{"cpu", "memory"} {
		around, _ := Around(cgroup, mounts, controller)
		for _, dir := range around {
			entries, err := os.ReadDir(h.in(dir))
			if err != nil {
				continue
			}
			for _, e := range entries {
				if ownerGone(e) {
					_ = syscall.Rmdir(h.in(dir, e.Name()))
				}
			}
		}
	}
}

// ownerGone says that an entry is a group of a hone that is gone.
func ownerGone(e fs.DirEntry) bool {
	rest, ours := strings.CutPrefix(e.Name(), namePrefix)
	owner, _, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(owner)
	return ours && e.IsDir() && err == nil && pid > 0 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

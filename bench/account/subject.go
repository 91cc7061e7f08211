package account

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// memory is what a program says of its own memory, in bytes; its package stay says what each means.
type memory struct {
	RSS       int64 `json:"rss"`
	Exe       int64 `json:"exe"`
	Files     int64 `json:"files"`
	Shared    int64 `json:"shared"`
	Anonymous int64 `json:"anonymous"`
	Objects   int64 `json:"objects"`
	Live      int64 `json:"live"`
	Unused    int64 `json:"unused"`
	Free      int64 `json:"free"`
	Stacks    int64 `json:"stacks"`
	Runtime   int64 `json:"runtime"`
	Cycles    int64 `json:"cycles"`
}

// truth is what is known of a program without hone.
type truth struct {
	Base memory `json:"base"` // what the program says before it planted, when it was ready, and after hone was asked
	Now  memory `json:"now"`
	Left memory `json:"left"`
	// Before and After are the resident set right before and after hone was asked, of /proc/PID/smaps_rollup.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	// Cached are the pages of files that its control group has; 0 without one.
	Cached int64 `json:"cached,omitempty"`
	// CPU is what the program used while hone was asked.
	CPU time.Duration `json:"cpu_ns"`
}

// near is the resident set that is nearest to a figure, of those between before and after.
func (t truth) near(bytes int64) int64 {
	return min(max(bytes, min(t.Before, t.After)), max(t.Before, t.After))
}

// largest is how much memory a program may use in its control group.
const largest = 1 << 30

// lacks says what this machine lacks for a program; empty for nothing. dir is where the program writes files.
func (p *program) lacks(dir string) string {
	var fs unix.Statfs_t
	tmpfs := func(path string) bool { return unix.Statfs(path, &fs) == nil && fs.Type == unix.TMPFS_MAGIC }
	for _, need := range p.needs {
		switch need {
		case compiler:
			if _, err := exec.LookPath("gcc"); err != nil {
				return proc.ErrNoCompiler.Error()
			}
		case "disk":
			if tmpfs(dir) {
				return dir + " is a tmpfs: its files are shared memory (TMPDIR)"
			}
		case "shm":
			if !tmpfs("/dev/shm") {
				return "/dev/shm is not a tmpfs"
			}
		case "cgroup":
			if err := cgroup.Try(cgroup.Limits{Memory: largest}); err != nil {
				return "page cache is only counted in a control group: " + err.Error()
			}
		}
	}
	return ""
}

// build builds a program into a file. Those without C are linked without it.
func (p *program) build(ctx context.Context, out string) error {
	cgo := "CGO_ENABLED=0"
	if slices.Contains(p.needs, compiler) {
		cgo = "CGO_ENABLED=1"
	}
	args := []string{"build", "-trimpath", "-o", out, "./" + p.Name}
	_, err := proc.Run(ctx, -1, proc.Command{Program: "go", Args: args, Dir: corpusDir, Env: []string{cgo}})
	return err
}

// observe starts a program, has something done while it stays, and ends it. It is in a control group where it needs one.
func (p *program) observe(ctx context.Context, binary string, do func(pid int) error) (t truth, err error) {
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(append(os.Environ(), "TMPDIR="+filepath.Dir(binary)), p.env...)
	cmd.Stderr, cmd.SysProcAttr = os.Stderr, &syscall.SysProcAttr{}
	in, err := cmd.StdinPipe()
	if err != nil {
		return t, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return t, err
	}
	var group cgroup.Group
	if slices.Contains(p.needs, "cgroup") {
		if group, err = cgroup.Place(cgroup.Limits{Memory: largest}); err == nil {
			err = group.Make()
		}
		if err != nil {
			return t, err
		}
		defer func() { err = errors.Join(err, group.Remove()) }()
	}
	if err := start(cmd, group); err != nil {
		return t, err
	}
	failed := p.watch(&t, cmd.Process.Pid, in, bufio.NewReader(out), group, do)
	if failed != nil {
		_ = cmd.Process.Kill() // it may not read its input
	}
	return t, errors.Join(failed, ignoreKill(cmd.Wait(), failed))
}

func start(cmd *exec.Cmd, group cgroup.Group) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return group.Fork(cmd.SysProcAttr, cmd.Start)
}

// ignoreKill leaves out how a program ended that was killed.
func ignoreKill(ended, failed error) error {
	if failed != nil {
		return nil
	}
	return ended
}

// watch reads what the program says and what the kernel says of it.
func (p *program) watch(t *truth, pid int, in io.Closer, out *bufio.Reader, group cgroup.Group, do func(int) error) (err error) {
	if err := hear(out, "ready", t); err != nil {
		return err
	}
	if t.Cached, err = cached(group); err != nil {
		return err
	}
	if t.Before, err = resident(pid); err != nil {
		return err
	}
	if t.CPU, err = proc.CPUOf(pid, func() error { return do(pid) }); err != nil {
		return err
	}
	if t.After, err = resident(pid); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	return hear(out, "left", &t.Left)
}

// hear reads a line WORD JSON of a program.
func hear(out *bufio.Reader, word string, into any) error {
	line, err := out.ReadString('\n')
	text, ok := strings.CutPrefix(line, word+" ")
	if err != nil || !ok {
		return fmt.Errorf("the program says %q, want %s: %w", line, word, err)
	}
	return json.Unmarshal([]byte(text), into)
}

// resident is the resident set of a process.
func resident(pid int) (int64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	s, err := p.ProcSMapsRollup()
	return int64(s.Rss), err
}

// cached are the pages of files that a group has, without those of shared memory: "cache" of memory.stat in version 1 of
// control groups, "file" in version 2.
func cached(g cgroup.Group) (n int64, err error) {
	if g.Memory.Dir == "" {
		return 0, nil
	}
	text, err := os.ReadFile(filepath.Join(g.Memory.Dir, "memory.stat"))
	for line := range strings.Lines(string(text)) {
		var bytes int64
		for _, format := range []string{"cache %d", "file %d"} {
			if _, err := fmt.Sscanf(line, format, &bytes); err == nil {
				n = bytes
			}
		}
	}
	return n, err
}

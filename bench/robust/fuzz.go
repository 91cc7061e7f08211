package robust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var fuzzing = &kind{
	Name: "fuzz",
	Does: "A fuzz target of either module is executed for some seconds by Go's own fuzzing, from its kept corpora " +
		"(testdata/fuzz, and what earlier executions found). Targets take turns, so that slow ones do not take the time of the others.",
	Fails: "an input that fails (a panic, a hang, a broken promise); it is kept beside the results.",
	// An hour of slices; the goal is a number of executions, not of trials.
	Default: 100_000,
	Run:     fuzz,
}

// fuzz executes the next target for one slice of time.
func fuzz(ctx context.Context, r *rig, t trial) (outcome, error) {
	if r.targets == nil {
		all, err := findTargets(r.root)
		if err != nil {
			return outcome{}, err
		}
		r.targets = all
	}
	on := r.targets[t.Number%len(r.targets)]
	o := outcome{What: on.String()}
	program, err := r.fuzzer(ctx, on)
	if err != nil {
		return o, err
	}
	out, hung, err := r.executeFuzz(ctx, program, on)
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	said := readFuzz(out)
	o.Executions = said.executions
	kept, moved := r.keepCrasher(on, said.input)
	if moved != nil {
		return o, moved
	}
	judgeFuzz(&o, said, kept, hung, err)
	return o, nil
}

// judgeFuzz judges the end of a fuzz target: err is how its process ended, kept where the
// input that failed is.
func judgeFuzz(o *outcome, said fuzzReport, kept string, hung bool, err error) {
	switch {
	case said.input != "":
		o.failf("input kept as %s: %s", kept, said.failure)
	case hung:
		o.failf("it did not end when its time was up")
	case err != nil && said.late:
		// Go's fuzzing may end so when the time is up in the middle of an execution.
		o.Notes = append(o.Notes, "ended with \"context deadline exceeded\" and without a failing input")
	case err != nil:
		o.failf("%v: %s", err, said.failure)
	}
}

// fuzzer builds the instrumented test binary of a target's package, once in a session.
func (r *rig) fuzzer(ctx context.Context, t target) (string, error) {
	dir := filepath.Join(r.root, t.Module, t.Package)
	if program, built := r.fuzzers[dir]; built {
		return program, nil
	}
	program := filepath.Join(r.dir, fmt.Sprintf("fuzz-%d.test", len(r.fuzzers)))
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-fuzz", ".", "-o", program, t.Package)
	cmd.Dir = filepath.Join(r.root, t.Module)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build fuzz targets of %s: %w\n%s", t.Package, err, bytes.TrimSpace(out))
	}
	r.fuzzers[dir] = program
	return program, nil
}

// fuzzGrace is how much longer than asked a target may take: it executes the whole corpus
// before its time begins, and finishes its last executions behind it.
const fuzzGrace = 2 * time.Minute

// executeFuzz runs a target for a slice of time. hung says that it had to be killed.
func (r *rig) executeFuzz(ctx context.Context, program string, t target) (out []byte, hung bool, err error) {
	cache, err := fuzzCache(ctx, filepath.Join(r.root, t.Module), t.Package)
	if err != nil {
		return nil, false, err
	}
	late, stop := context.WithTimeout(ctx, r.fuzzSlice+fuzzGrace)
	defer stop()
	// Go minimizes every input that reaches new code for up to a minute, in which it executes
	// no other: a slice would be gone with the first.
	cmd := exec.CommandContext(late, program, "-test.run=^$", "-test.fuzzminimizetime=100ms", "-test.fuzz=^"+t.Name+"$",
		"-test.fuzzcachedir="+cache,
		"-test.fuzztime="+r.fuzzSlice.String(), "-test.parallel="+strconv.Itoa(r.fuzzWorkers), "-test.timeout=0")
	cmd.Dir = filepath.Join(r.root, t.Module, t.Package)
	cmd.Env = append(os.Environ(), "TMPDIR="+r.temporary())
	// Its workers are processes of the same group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err = cmd.CombinedOutput()
	return out, late.Err() != nil && ctx.Err() == nil, err
}

// fuzzCache is where go test -fuzz keeps the inputs that it found for a package, so that both
// go on with them.
func fuzzCache(ctx context.Context, dir, pkg string) (string, error) {
	var lines [2]string
	for i, args := range [][]string{{"env", "GOCACHE"}, {"list", pkg}} {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("find the fuzz cache of %s: go %s: %w", pkg, args[0], err)
		}
		lines[i] = strings.TrimSpace(string(out))
	}
	return filepath.Join(lines[0], "fuzz", lines[1]), nil
}

// fuzzReport is what Go's fuzzing said.
type fuzzReport struct {
	executions uint64
	input      string // path of the input that failed, as it is printed; empty: none
	failure    string // the line that says why
	late       bool   // "context deadline exceeded"
}

var (
	execsLine = regexp.MustCompile(`execs: (\d+)`)
	inputLine = regexp.MustCompile(`Failing input written to (\S+)`)
)

// readFuzz reads the output of a fuzz target: the count of its last progress line, and what
// failed.
func readFuzz(out []byte) fuzzReport {
	var f fuzzReport
	failing := false
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if m := execsLine.FindStringSubmatch(line); m != nil {
			f.executions, _ = strconv.ParseUint(m[1], 10, 64) // digits only
		}
		if m := inputLine.FindStringSubmatch(line); m != nil {
			f.input = m[1]
		}
		if strings.Contains(line, "context deadline exceeded") {
			f.late = true
		}
		switch {
		case strings.HasPrefix(line, "--- FAIL"):
			failing = true
		case failing && f.failure == "" && line != "":
			f.failure = line[:min(len(line), 300)]
		}
	}
	return f
}

// keepCrasher moves an input that failed out of the source tree, so that the target's next
// slice does not begin with it, and returns where it is.
func (r *rig) keepCrasher(t target, input string) (string, error) {
	if input == "" {
		return "", nil
	}
	from := filepath.Join(r.root, t.Module, t.Package, filepath.FromSlash(input))
	to := filepath.Join(r.crashers, t.Name, filepath.Base(input))
	data, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) { // it is one of testdata/fuzz, which fails again
		return input, nil
	}
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
	}
	if err == nil {
		err = os.Remove(from)
	}
	if err != nil {
		return "", fmt.Errorf("keep failing input: %w", err)
	}
	return to, nil
}

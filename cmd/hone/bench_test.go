package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
)

// patient is a benchmark that writes the PID of its process to a file, and waits long
// enough to be interrupted once there is a file begun.
const patient = `package patient

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func BenchmarkPatient(b *testing.B) {
	f, err := os.OpenFile("pids", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(f, os.Getpid())
	f.Close()
	if seen, err := os.ReadFile("begun"); err == nil && len(seen) > 0 {
		os.WriteFile("waiting", seen, 0o600)
		time.Sleep(time.Hour)
	}
	for range b.N {
		time.Sleep(time.Microsecond)
	}
}
`

// benchInProgress starts the real hone on the patient benchmark, compared with itself, and
// returns when a process of it runs that would take an hour.
func benchInProgress(t *testing.T) (cmd *exec.Cmd, dir string, out *bytes.Buffer) {
	t.Helper()
	dir = patientModule(t)
	cmd, out = benchOf(t, dir, "./")
	return cmd, dir, out
}

func patientModule(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/patient\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "patient_test.go"), patient)
	return dir
}

// benchOf is benchInProgress in a directory, compared with a ref or a directory.
func benchOf(t *testing.T, dir, vs string) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(honeBinary, "bench", "--vs", vs, "--benchtime", "5ms", "--budget", "1m", "-o", "results.txt")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // a killed hone leaves its binaries
	out = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	until(t, "results of a pair", func() bool {
		for _, side := range []string{"A", "B"} {
			text, err := os.ReadFile(filepath.Join(dir, "results-"+side+".txt"))
			if err != nil || !strings.Contains(string(text), "BenchmarkPatient") {
				return false
			}
		}
		return true
	})
	write(t, filepath.Join(dir, "begun"), "yes")
	until(t, "a process that waits", func() bool {
		_, err := os.Stat(filepath.Join(dir, "waiting"))
		return err == nil
	})
	return cmd, out
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s within %v", what, patience)
		}
	}
}

// ended waits until no process of the benchmark is left; one that only waits to be reaped
// by a parent that is not hone has ended too.
func ended(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "pids"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(text)) {
		until(t, "end of process "+pid, func() bool {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			return err != nil || strings.Contains(string(stat), ") Z ")
		})
	}
}

func TestCtrlCInABenchmarkKeepsResultsAndLeavesNoProcess(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc to look for processes in")
	}
	cmd, dir, out := benchInProgress(t)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("exit %v, want 130\n%s", err, out)
	}
	if shown := showComparison(t, dir); !strings.Contains(out.String(), shown) {
		t.Errorf("hone show says\n%s\nhone bench said\n%s", shown, out)
	}
	for _, want := range []string{"interrupted", "results-A.txt", "undecided"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out)
		}
	}
	ended(t, dir)
	compared, err := exec.Command(honeBinary, "bench", "compare", filepath.Join(dir, "results-A.txt"),
		filepath.Join(dir, "results-B.txt")).CombinedOutput()
	if !strings.Contains(string(compared), "Patient") {
		t.Errorf("the files do not compare: %v\n%s", err, compared)
	}
}

func TestAKilledHoneLeavesNoBenchmark(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("there is no /proc, and no death signal, here")
	}
	cmd, dir, _ := benchInProgress(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	ended(t, dir)
	if shown := showComparison(t, dir); !strings.HasPrefix(shown, "no result (crashed): hone (PID ") ||
		!strings.Contains(shown, "working tree") {
		t.Errorf("hone show says\n%s", shown)
	}
}

// showComparison is what hone show prints of the only comparison of the ledger in dir.
func showComparison(t *testing.T, dir string) string {
	t.Helper()
	l, err := ledger.OpenReader(filepath.Join(dir, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.Comparisons(0)
	if err := errors.Join(err, l.Close()); err != nil || len(all) != 1 {
		t.Fatalf("comparisons %+v, want one: %v", all, err)
	}
	show := exec.Command(honeBinary, "show", all[0].ID)
	show.Dir = dir
	text, err := show.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A hone that is killed while it has a ref checked out leaves no worktree registered in the
// user's repository, and the next command removes its files.
func TestAKilledBenchLeavesTheRepositoryAsItWas(t *testing.T) {
	t.Parallel()
	dir := patientModule(t)
	plain := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=d", "-c", "user.email=d@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	plain("init", "-q", ".")
	plain("add", ".")
	plain("commit", "-q", "-m", "one")
	plain("worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "mine"))
	before := plain("worktree", "list")
	write(t, filepath.Join(dir, "patient_test.go"),
		strings.Replace(patient, "time.Microsecond", "2*time.Microsecond", 1))
	cmd, _ := benchOf(t, dir, "HEAD")
	temp := cmd.Env[len(cmd.Env)-1]
	leftovers := func() []string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(strings.TrimPrefix(temp, "TMPDIR="), "hone-*", "source", "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := leftovers(); len(found) != 1 {
		t.Fatalf("checkouts while it runs: %v", found)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	ended(t, dir)
	if after := plain("worktree", "list"); after != before {
		t.Errorf("worktrees before:\n%safter:\n%s", before, after)
	}
	if found := leftovers(); len(found) != 1 {
		t.Errorf("a killed hone cannot have removed its checkout: %v", found)
	}
	next := exec.Command(honeBinary, "bench", "--vs", "HEAD", "--bench", "NoSuchBenchmark")
	next.Dir, next.Env = dir, cmd.Env
	if out, err := next.CombinedOutput(); err == nil {
		t.Errorf("there is no such benchmark:\n%s", out)
	}
	if found := leftovers(); len(found) != 0 {
		t.Errorf("the next command left them: %v", found)
	}
	if after := plain("worktree", "list"); after != before {
		t.Errorf("worktrees after the next command:\n%s", after)
	}
}

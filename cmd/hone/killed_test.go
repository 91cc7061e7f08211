package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// The kills of faults 1 and 11. `make bench CASE=robust` has a program for hundreds of them, over more
// commands; these are the ones that every change has to pass.
var (
	kills    = flag.Int("kills", 12, "how often hone is killed in a run")
	killSeed = flag.Uint64("kill-seed", 20, "draws the moments of the kills")
)

const (
	// nextBudget is the CPU time that a command after a kill may take (fault 1). CPU, not
	// wall time: another program's work is not hone's.
	nextBudget = 2 * time.Second
	// orphanBudget is how long a process of a killed hone may live (fault 11).
	orphanBudget = 5 * time.Second
)

// phases are what a run says on stderr when it begins a part of its life with a row in the
// ledger, and how long that part is at least with the flags of killedRun.
var phases = []struct {
	begins string
	lasts  time.Duration
}{{"start ", 300 * time.Millisecond}, {"measure ", time.Second}, {"profile ", time.Second}}

// Faults 1 and 11: hone is killed at a random moment of a phase of its run. That run is
// marked crashed, all earlier ones stay what they were, byte for byte, the commands after
// it work at once, and no process is left.
func TestKilledHoneLosesOnlyTheCurrentRun(t *testing.T) {
	t.Parallel()
	dir := project(t)
	t.Logf("repeat with -kills=%d -kill-seed=%d", *kills, *killSeed)
	rng := rand.New(rand.NewPCG(*killSeed, 1))
	next(t, dir, "run", "--once", "--", "true") // an earlier run
	before := readLedger(t, dir, recentRuns)
	documents := maps.Clone(before.runs) // of all runs, as they were when first read
	for i := range *kills {
		phase := phases[i%len(phases)]
		delay := time.Duration(rng.Int64N(int64(phase.lasts)))
		where := fmt.Sprintf("kill %d, %v into %q", i, delay, phase.begins)
		tag := fmt.Sprintf("HONE_TEST_KILL=%d-%d", os.Getpid(), i)
		hone := killRun(t, dir, tag, phase.begins, delay)

		end := time.Now().Add(orphanBudget)
		wantNone(t, end, where+": processes", func() []string { return survivors(t, tag) })
		wantNone(t, end, where+": control groups", func() []string { return groupsLeft(t, hone) })
		seen := readLedger(t, dir, recentRuns) // by commands that only read
		wantOneCrash(t, where, before, seen)
		next(t, dir, "run", "--once", "--", "true") // one that writes
		after := readLedger(t, dir, recentRuns)
		wantKept(t, where, seen, after)
		if n := len(after.runs) - len(seen.runs); n != 1 {
			t.Errorf("%s: the next run made %d runs", where, n)
		}
		for id, run := range after.runs {
			if run.document != "" && documents[id].document == "" {
				documents[id] = run
			}
		}
		if before = after; t.Failed() {
			return
		}
	}
	wantKept(t, "at the end", contents{runs: documents}, readLedger(t, dir, len(documents)))
	next(t, dir, "ledger", "verify")
}

// killRun starts a run of the reporter and kills hone a delay after it said that a phase begins, and returns its PID.
// The environment of hone and all its children holds the tag. The program runs in a box, where there can be one.
func killRun(t *testing.T, dir, tag, phase string, delay time.Duration) int {
	t.Helper()
	args := []string{"run", ".", "-d", "1s", "-c", "2", "--warmup", "300ms", "--profile-time", "3s", "--target",
		"http://127.0.0.1:{port}/"}
	if cgroup.Try(killedBox) == nil {
		args = append(args, "--cpus", "2", "--memory", "256Mi")
	}
	cmd := exec.Command(honeBinary, append(args, "--", "127.0.0.1:{port}")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), tag)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if said = append(said, lines.Text()); strings.HasPrefix(lines.Text(), phase) {
			time.Sleep(delay) // not a wait for anything: the random moment of the fault
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			return cmd.Process.Pid
		}
	}
	_ = cmd.Wait()
	t.Fatalf("hone did not come to %q:\n%s", phase, strings.Join(said, "\n"))
	return 0
}

// killedBox is a box like that of the run.
var killedBox = cgroup.Limits{CPUs: 2, Memory: 256 << 20}

// groupsLeft are the control groups that a hone has made and that are there.
func groupsLeft(t *testing.T, hone int) (found []string) {
	t.Helper()
	g, err := cgroup.Place(killedBox)
	if err != nil {
		return nil // no group can be made here
	}
	for _, dir := range g.Dirs() {
		some, err := filepath.Glob(filepath.Join(filepath.Dir(dir), fmt.Sprintf("hone-%d-*", hone)))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, some...)
	}
	return found
}

// wantNone waits until nothing of a kind is left, and fails at the end.
func wantNone(t *testing.T, end time.Time, what string, left func() []string) {
	t.Helper()
	for some := left(); len(some) > 0; some = left() {
		if time.Now().After(end) {
			t.Fatalf("%s are left after %v: %v", what, orphanBudget, some)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// survivors are the processes whose environment holds the tag.
func survivors(t *testing.T, tag string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		// What cannot be read is another user's, or has ended.
		if env, err := os.ReadFile(file); err == nil && slices.Contains(strings.Split(string(env), "\x00"), tag) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}

// contents is what a ledger holds: its runs by id, as hone shows them, and its files by
// path, as their hashes.
type contents struct {
	runs  map[string]storedRun
	files map[string][sha256.Size]byte
}

// storedRun has no document where the run was too old to be read again.
type storedRun struct{ status, document string }

// recentRuns is how many runs are read whole after each kill: after hundreds of kills,
// reading all of them would take hours. All are read at the end, and all files each time.
const recentRuns = 4

// readLedger reads the ledger in dir by commands that only read: all of its files, and the
// documents of its newest runs.
func readLedger(t *testing.T, dir string, newest int) contents {
	t.Helper()
	var history struct{ Runs []struct{ ID, Status string } }
	if err := json.Unmarshal(next(t, dir, "history", "-n", "0", "--json"), &history); err != nil {
		t.Fatal(err)
	}
	c := contents{map[string]storedRun{}, map[string][sha256.Size]byte{}}
	for i, r := range history.Runs { // newest last
		run := storedRun{status: r.Status}
		if i >= len(history.Runs)-newest {
			run.document = string(next(t, dir, "show", r.ID, "--json"))
		}
		c.runs[r.ID] = run
	}
	open := map[string]bool{} // records that the next writer will end, with their slices: a head comes first
	for _, part := range []string{"blobs", "records"} {
		err := filepath.WalkDir(filepath.Join(dir, ".hone", part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			stem := strings.TrimSuffix(path, filepath.Ext(path))
			if open[stem] = open[stem] || bytes.Contains(content, []byte(`"writer":{`)); !open[stem] {
				c.files[path] = sha256.Sum256(content)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return c
}

// wantOneCrash wants one run more than before, which crashed, and the others as they were.
func wantOneCrash(t *testing.T, where string, before, after contents) {
	t.Helper()
	wantKept(t, where, before, after)
	var crashed int
	for id := range maps.Keys(after.runs) {
		if _, old := before.runs[id]; old {
			continue
		}
		if status := after.runs[id].status; status != "crashed" {
			t.Errorf("%s: run %s is %s, want crashed", where, id, status)
		}
		crashed++
	}
	if crashed != 1 {
		t.Errorf("%s: %d new runs, want the one that was killed", where, crashed)
	}
}

// wantKept wants everything that was in the ledger, byte for byte.
func wantKept(t *testing.T, where string, before, after contents) {
	t.Helper()
	for id, was := range before.runs {
		is, there := after.runs[id]
		read := was.document != "" && is.document != ""
		if !there || is.status != was.status || read && is.document != was.document {
			t.Errorf("%s: run %s was\n%+v\nand is\n%+v", where, id, was, is)
		}
	}
	for file, was := range before.files {
		if is, there := after.files[file]; !there || is != was {
			t.Errorf("%s: %s is not what it was", where, file)
		}
	}
}

// next carries out a command behind a kill: it ends with 0 within the budget.
func next(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(honeBinary, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("hone %s: %v\n%s%s", strings.Join(args, " "), err, &stdout, &stderr)
	}
	if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > nextBudget {
		t.Errorf("hone %s took %v of CPU, budget %v", strings.Join(args, " "), took, nextBudget)
	}
	return stdout.Bytes()
}

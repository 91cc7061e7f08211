package subject

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/testkit/leaktest"
)

// family is a stand-in for hone with all that it has started: a subject that ignores TERM,
// and whose orphan is in a session of its own, ignores TERM and holds stdout.
type family struct {
	cmd                                 *exec.Cmd
	hone, backup, guard, server, orphan int
}

func startFamily(t *testing.T, kind string, grace time.Duration) family {
	t.Helper()
	f := family{cmd: exec.Command(os.Args[0], rolePrefix+"hone", kind, grace.String())}
	f.cmd.Stderr = os.Stderr
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f.hone = f.cmd.Process.Pid
	t.Cleanup(func() {
		_ = f.cmd.Process.Kill()
		_ = f.cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if n, _ := fmt.Sscan(line, &f.backup, &f.guard, &f.server, &f.orphan); n != 4 || err != nil {
		t.Fatalf("stand-in for hone says %q, %v", line, err)
	}
	if alive := living(f.all()); len(alive) != 5 {
		t.Fatalf("of %v only %v run", f.all(), alive)
	}
	return f
}

func (f family) all() []int { return []int{f.hone, f.backup, f.guard, f.server, f.orphan} }

// below is what must not survive.
func (f family) below() []int { return []int{f.backup, f.guard, f.server, f.orphan} }

func sendAll(t *testing.T, sig syscall.Signal, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if err := syscall.Kill(pid, sig); err != nil {
			t.Errorf("send %v to %d: %v", sig, pid, err)
		}
	}
}

// wantGone waits until none of the processes is left, at most 5 s after since (fault 11).
func wantGone(t *testing.T, since time.Time, pids []int) {
	t.Helper()
	await(t, fmt.Sprintf("the end of %v", pids), func() bool { return len(living(pids)) == 0 })
	if took := time.Since(since); took > 5*time.Second {
		t.Errorf("the last process ended after %v", took)
	}
}

// Fault 11, and what is worse: hone is killed, alone or with its guards.
func TestNothingSurvivesKill(t *testing.T) {
	const short = 100 * time.Millisecond
	for _, c := range []struct {
		name  string
		kind  string
		grace time.Duration
		stop  func(family) []int // gets STOP before
		kill  func(family) []int
	}{
		{name: "hone", grace: time.Minute, kill: func(f family) []int { return []int{f.hone} }},
		{name: "hone isolated", kind: "isolated", grace: short, kill: func(f family) []int { return []int{f.hone} }},
		{name: "guard", grace: short, kill: func(f family) []int { return []int{f.guard} }},
		{name: "hone and guard", grace: time.Minute, kill: func(f family) []int { return []int{f.hone, f.guard} }},
		{name: "guard and hone", grace: time.Minute, kill: func(f family) []int { return []int{f.guard, f.hone} }},
		{name: "hone and guard isolated", kind: "isolated", grace: short,
			kill: func(f family) []int { return []int{f.hone, f.guard} }},
		{name: "hone and backup", grace: short, kill: func(f family) []int { return []int{f.backup, f.hone} }},
		{name: "guard and backup", grace: short, kill: func(f family) []int { return []int{f.backup, f.guard} }},
		{name: "hone, the guard stopped", grace: short,
			stop: func(f family) []int { return []int{f.guard} }, kill: func(f family) []int { return []int{f.hone} }},
		{name: "hone and guard, both stopped", grace: short,
			stop: func(f family) []int { return []int{f.guard, f.hone} },
			kill: func(f family) []int { return []int{f.hone, f.guard} }},
		{name: "hone and guard, the subject stopped", grace: short,
			stop: func(f family) []int { return []int{f.server, f.orphan} },
			kill: func(f family) []int { return []int{f.hone, f.guard} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.kind == "isolated" {
				needIsolation(t)
			}
			f := startFamily(t, c.kind, c.grace)
			if c.stop != nil {
				sendAll(t, syscall.SIGSTOP, c.stop(f)...)
			}
			killed := time.Now()
			sendAll(t, syscall.SIGKILL, c.kill(f)...)
			wantGone(t, killed, f.below())
		})
	}
}

// One kill of hone and guard, at 8 moments: the orders of the deaths differ.
func TestNothingSurvivesBurst(t *testing.T) {
	for range 8 {
		f := startFamily(t, "plain", time.Minute)
		killed := time.Now()
		sendAll(t, syscall.SIGKILL, f.hone, f.guard)
		wantGone(t, killed, f.below())
		_ = f.cmd.Wait()
	}
}

// The death of the backup alone changes nothing: hone goes on, and so does the guard.
func TestBackupKilled(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"IGNORE_TERM=1"}
	p := start(t, b, StartOptions{Grace: 100 * time.Millisecond})
	pids := []int{p.PID(), number(t, tell(t, p, "orphan")), p.guardPID()}
	sendAll(t, syscall.SIGKILL, p.client.PID())
	if tell(t, p, "pid"); p.Exit() != nil {
		t.Errorf("the subject has ended: %v", p.Exit())
	}
	report, err := p.Stop(t.Context())
	if err != nil || len(report.Killed) != 2 {
		t.Errorf("report %+v, %v; want the subject and its orphan killed", report, err)
	}
	if alive := living(pids); len(alive) > 0 {
		t.Errorf("%v are left", alive)
	}
}

// If hone and both guards die at once, only the main process dies with them. The next
// hone ends the rest, and nothing else. Tests of other packages are such hones, too, and may
// come first: then there is another try.
func TestEndOrphans(t *testing.T) {
	other := startFamily(t, "plain", time.Minute)
	for range 20 {
		dead := startFamily(t, "plain", time.Minute)
		killed := time.Now()
		sendAll(t, syscall.SIGKILL, dead.backup, dead.guard, dead.hone)
		wantGone(t, killed, []int{dead.server})
		_ = dead.cmd.Wait()
		left := living([]int{dead.orphan})
		said := lifetime.EndOrphans()
		wantGone(t, time.Now(), []int{dead.orphan})
		if alive := living(other.all()); len(alive) != 5 {
			t.Fatalf("of another hone's processes %v only %v run", other.all(), alive)
		}
		if len(left) == 1 && strings.Contains(said, "hone was killed") {
			return
		}
	}
	t.Error("in 20 tries the orphan was never there, or was ended without a word")
}

// "pkill hone" and "pkill -f hone" do not meet the guards.
func TestGuardsHaveTheirOwnNames(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:0"), StartOptions{})
	for pid, want := range map[int]string{p.client.PID(): guard.BackupName, p.guardPID(): guard.Name} {
		if name, _ := processes.Name(pid); name != want {
			t.Errorf("process %d is called %q, want %q", pid, name, want)
		}
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !strings.HasPrefix(string(line), want+"\x00") || strings.Contains(string(line), "hone") {
			t.Errorf("command line %q, %v; want %s first", line, err, want)
		}
	}
}

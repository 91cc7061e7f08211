package subject

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
)

func TestStopNeedsOnlyTerm(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:0"), StartOptions{ProbeDir: t.TempDir()})
	report, err := p.Stop(t.Context())
	if err != nil || report.Warning() != "" || report.Took <= 0 {
		t.Errorf("report %+v, %v; want no warning", report, err)
	}
	if err := p.Exit(); err != nil {
		t.Errorf("a subject that was stopped reports %v", err)
	}
	if _, err := os.Stat(p.ProbeSocket()); !os.IsNotExist(err) {
		t.Errorf("the probe's socket is left: %v", err)
	}
	again, err := p.Stop(t.Context())
	if err != nil || again.Took != report.Took {
		t.Errorf("second report %+v, %v; want %+v", again, err, report)
	}
	if _, err := p.Dial(t.Context()); err == nil {
		t.Error("a stopped subject can be dialled")
	}
}

// Fault 10: TERM is ignored, and a grandchild in a session of its own, whose parent
// is dead, holds stdout.
func TestStopEndsATreeThatIgnoresTERM(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"IGNORE_TERM=1"}
	p := start(t, b, StartOptions{Grace: 200 * time.Millisecond})
	orphan := number(t, tell(t, p, "orphan"))

	asked := time.Now()
	report, err := p.Stop(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(asked); took > p.opts.Grace+killPatience {
		t.Errorf("all were dead %v after the call, with a grace of %v", took, p.opts.Grace)
	}
	var killed []int
	for _, k := range report.Killed {
		killed = append(killed, k.PID)
	}
	slices.Sort(killed)
	want := []int{p.PID(), orphan}
	slices.Sort(want)
	if !slices.Equal(killed, want) {
		t.Errorf("killed %v, want %v", killed, want)
	}
	if !strings.Contains(report.Warning(), fmt.Sprintf("PID %d", orphan)) {
		t.Errorf("warning %q does not name the orphan %d", report.Warning(), orphan)
	}
	for _, pid := range want {
		if name, alive := processes.Name(pid); alive {
			t.Errorf("%d (%s) is left", pid, name)
		}
	}
}

func TestStopReachesStoppedProcess(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:0"), StartOptions{Grace: time.Minute})
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	report, err := p.Stop(t.Context())
	if err != nil || len(report.Killed) != 0 {
		t.Errorf("report %+v, %v; want an end by TERM", report, err)
	}
}

// A caller in a hurry gets the KILL at once.
func TestStopHurries(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"IGNORE_TERM=1"}
	p := start(t, b, StartOptions{Grace: time.Hour})
	first := make(chan error, 1)
	go func() {
		_, err := p.Stop(context.Background())
		first <- err
	}()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report, err := p.Stop(ctx)
	if err != nil || len(report.Killed) != 1 {
		t.Errorf("report %+v, %v; want one killed", report, err)
	}
	if err := <-first; err != nil {
		t.Errorf("the patient caller: %v", err)
	}
}

// A guard that does not answer does not keep Stop from its work.
func TestStopWithoutGuard(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"IGNORE_TERM=1"}
	p := start(t, b, StartOptions{Grace: time.Millisecond})
	if err := syscall.Kill(p.guardPID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	report, err := p.Stop(t.Context())
	if err != nil || len(report.Killed) != 1 || report.Killed[0].PID != p.PID() {
		t.Errorf("report %+v, %v; want the main process killed", report, err)
	}
}

// The subject does not survive its guard, and neither does what it started.
func TestGuardKilled(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"IGNORE_TERM=1"}
	p := start(t, b, StartOptions{})
	pids := []int{p.PID(), number(t, tell(t, p, "orphan"))}
	endProcess(t, p.guardPID())
	<-p.Done()
	wantFail(t, p.Exit(), fail.Subject, "guard process has ended")
	await(t, "the subject to end", func() bool { return len(living(pids)) == 0 })
	if _, err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// Fault 9, in mid-run.
func TestExitTellsHowItEnded(t *testing.T) {
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"exit 4", []string{"exit code 4", "going now"}},
		{"exit 0", []string{"exit code 0"}},
		{"panic", []string{"exit code 2", "panic: asked to", "serveCommands"}},
		{"kill 9", []string{"signal 9", "killed"}},
	} {
		t.Run(c.command, func(t *testing.T) {
			leaktest.None(t)
			p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{})
			if err := p.Exit(); err != nil {
				t.Errorf("a living subject reports %v", err)
			}
			before, err := p.Counters()
			if err != nil {
				t.Error(err)
			}
			command(t, p, c.command)
			<-p.Done()
			wantFail(t, p.Exit(), fail.Subject, append(c.want, "program A", "by itself")...)
			after, err := p.Counters()
			wantFail(t, err, fail.Subject, "has ended")
			if after.CPU < before.CPU {
				t.Errorf("CPU time went from %v to %v", before.CPU, after.CPU)
			}
		})
	}
}

// A server that waits at TERM for the connections that are open finds none of hone's, also where it is slow to notice
// that they are closed.
func TestStopWaitsUntilItsConnectionsAreGone(t *testing.T) {
	leaktest.None(t)
	if runtime.GOOS != "linux" {
		t.Skip("there is no table of connections to look into")
	}
	for _, isolate := range []bool{false, true} {
		t.Run(fmt.Sprintf("isolated %v", isolate), func(t *testing.T) {
			if isolate {
				needIsolation(t)
			}
			b := server(t, "127.0.0.1:{port}")
			b.Variant.Env = []string{"DRAIN=1"}
			p := start(t, b, StartOptions{Grace: time.Second, Resources: Resources{Isolate: isolate}})
			p.stop.closing = time.Minute // a busy machine may need more
			for range 3 {
				tell(t, p, "pid")
			}
			report, err := p.Stop(t.Context())
			if err != nil || report.Warning() != "" {
				t.Errorf("%q, %v; want an end of its own: it had no connection of hone's", report.Warning(), err)
			}
		})
	}
}

func TestStopSaysWhatItTook(t *testing.T) {
	killed := []guard.KilledProcess{{PID: 7, Name: "shop"}}
	for want, r := range map[string]StopReport{
		"": {Grace: time.Second},
		"did not end within 5s of TERM and had to be killed: shop (PID 7)": {Killed: killed, Grace: 5 * time.Second},
		"had to be killed: shop (PID 7)":                                   {Killed: killed},
	} {
		if got := r.Warning(); got != want {
			t.Errorf("warning %q, want %q", got, want)
		}
	}
}

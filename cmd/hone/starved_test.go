package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire/nullserver"
	"github.com/gohone/hone/load"
)

// much is a rate that a generator with 5 % of a CPU cannot keep, modest one that any can
// that is not held. So a machine that is busy with other things does not fail these tests.
// They run by themselves: beside other stories a generator is late on two CPUs.
const (
	much   = "20000"
	modest = "200"
)

// Fault 16: a generator that gets 5 % of a CPU sends less than 99 % of what is due. Its
// measurement is invalid, and says so in its JSON, too. One that is not held is valid.
func TestAStarvedLoadIsInvalid(t *testing.T) {
	s, err := nullserver.Start(nullserver.Options{Network: "tcp", Address: "127.0.0.1:0", CPU: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	args := func(rate string) []string {
		return []string{"load", "http://" + s.Addr().String() + "/", "--rate", rate, "-d", "500ms", "-c", "200",
			"--warmup", "0", "--no-ledger", "--json"}
	}
	type summary struct {
		Valid    bool
		Requests struct{ Scheduled, Sent float64 }
		Doubts   []load.Doubt
	}
	var held summary
	code, stderr := starve(t, "", args(much), "load ", true, &held)
	if code != 4 || held.Valid || held.Requests.Sent >= 0.99*held.Requests.Scheduled || !tooSlow(held.Doubts) {
		t.Errorf("held: exit code %d, want 4 and an invalid measurement: %+v\n%s", code, held, stderr)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		var free summary
		if code, stderr = starve(t, "", args(modest), "load ", false, &free); code == 0 && free.Valid &&
			!tooSlow(free.Doubts) {
			return
		}
		t.Logf("not held: exit code %d, %+v\n%s", code, free.Doubts, stderr)
	}
	t.Errorf("not held: never valid")
}

// Fault 16: no verdict is drawn from slices that the generator could not fill.
func TestAStarvedCompareIsInvalid(t *testing.T) {
	const framed = "./services/framed/cmd/framed"
	ledger := t.TempDir()
	args := func(rate string) []string {
		return []string{
			"compare", framed, framed, "--rate", rate, "--budget", "1s", "-c", "200", "--no-profile", "--json",
			"--ledger", ledger, "--target", "framed://127.0.0.1:{port}", "--", "-stage", "batched", "-addr",
			"127.0.0.1:{port}",
		}
	}
	type document struct {
		Comparison struct {
			Status, Verdict string
			Contests        []struct{ Verdict string }
		}
		Runs []struct{ Doubts []load.Doubt }
	}
	const dir = "../.." // the module of framed
	var held document
	code, stderr := starve(t, dir, args(much), "start ", true, &held)
	late := slices.ContainsFunc(held.Runs, func(r struct{ Doubts []load.Doubt }) bool { return tooSlow(r.Doubts) })
	c := held.Comparison
	if code != 4 || c.Status != "invalid" || c.Verdict != "invalid" || len(c.Contests) != 1 ||
		c.Contests[0].Verdict != "invalid" || !late {
		t.Errorf("held: exit code %d, want 4 and no verdict: %+v\n%s", code, held, stderr)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		var free document
		if code, stderr = starve(t, dir, args(modest), "start ", false, &free); code != 4 &&
			free.Comparison.Verdict != "invalid" {
			return
		}
		t.Logf("not held: exit code %d\n%s", code, stderr)
	}
	t.Errorf("not held: never valid")
}

// tooSlow says that a measurement is invalid because less was sent than was due.
func tooSlow(doubts []load.Doubt) bool {
	return slices.ContainsFunc(doubts, func(d load.Doubt) bool { return d.Name == load.DoubtRate && d.Fatal })
}

// starve carries out a hone that prints JSON. If it is held it gets 5 ms of every 100 from
// the moment on that it says on stderr that the phase begins, as a quota of 5 % would give
// it: that takes no more than a child that may be stopped, where quotas take cgroups.
func starve(t *testing.T, dir string, args []string, phase string, held bool, document any) (code int, stderr string) {
	t.Helper()
	cmd := exec.Command(honeBinary, args...)
	cmd.Dir = dir
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	begun, ended := make(chan struct{}), make(chan string)
	go func() { // ends with hone's stderr
		var said strings.Builder
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			if strings.HasPrefix(lines.Text(), phase) {
				once.Do(func() { close(begun) })
			}
		}
		ended <- said.String()
	}()
	select {
	case <-begun:
	case stderr = <-ended:
		t.Fatalf("hone did not come to %q: %v\n%s", phase, cmd.Wait(), stderr)
	}
	for stderr == "" {
		if held {
			_ = cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(95 * time.Millisecond)
			_ = cmd.Process.Signal(syscall.SIGCONT)
		}
		select {
		case stderr = <-ended:
		case <-time.After(5 * time.Millisecond):
		}
	}
	code = exitCode(t, cmd.Wait())
	if err := json.Unmarshal(stdout.Bytes(), document); err != nil {
		t.Fatalf("%v of %s\n%s", err, &stdout, stderr)
	}
	return code, stderr
}

package disturbed

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// The lines of a service of tests.
const askLine, writeLine, computeLine = 10, 20, 30

var someLines = lines{askLine: backend, writeLine: disk}

func call(s walltime.State, line int) walltime.Call {
	return walltime.Call{State: s, File: "/x/svc/main.go", Line: line}
}

func label(own walltime.Call, behind ...walltime.Call) walltime.Label {
	l := walltime.Label{Call: own}
	if len(behind) > 0 {
		l.Behind = &behind[0]
	}
	return l
}

// What a part of the tail is of follows from its state, and where it waits from the line.
func TestOfLabel(t *testing.T) {
	for name, c := range map[string]struct {
		said walltime.Label
		want cause
	}{
		"others have the CPU":               {label(call(walltime.Preempted, 0)), hog},
		"the quota":                         {label(call(walltime.Throttled, 0)), quota},
		"a signal":                          {label(call(walltime.Halted, 0)), stopped},
		"the host, which is not injected":   {label(call(walltime.Stolen, 0)), ""},
		"the backend":                       {label(call(walltime.Network, askLine)), backend},
		"another backend":                   {label(call(walltime.Network, computeLine)), ""},
		"a channel at that line":            {label(call(walltime.Channel, askLine)), ""},
		"the disk":                          {label(call(walltime.Syscall, writeLine)), disk},
		"another system call":               {label(call(walltime.Syscall, computeLine)), ""},
		"a backend at the line of the disk": {label(call(walltime.Network, writeLine)), ""},
		"behind others that write": {label(call(walltime.Lock, writeLine),
			call(walltime.Syscall, writeLine)), disk},
		"behind others that compute": {label(call(walltime.Lock, writeLine),
			call(walltime.Running, computeLine)), ""},
		"it waits to run": {label(call(walltime.Runnable, 0),
			call(walltime.Requests, computeLine)), ""},
		"it waits to run, which the quota delays": {label(call(walltime.Runnable, 0), call(walltime.Throttled, 0)), quota},
		"it computes": {label(call(walltime.Running, computeLine)), ""},
		"a line of another file": {walltime.Label{Call: walltime.Call{State: walltime.Network, File: "/x/pool.go",
			Line: askLine}}, ""},
	} {
		if got := someLines.ofLabel(c.said); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func said(l walltime.Label, findings ...found) answer {
	return answer{Causes: []walltime.Cause{{Part: walltime.Part{Label: l}, Share: 0.8}}, Findings: findings}
}

func withheldBy(what string, m advice.Measure) found {
	return found{Rule: "cpu-withheld", Title: "slow requests wait for 60 % of their time: " + what, Measure: m}
}

// Each rule and title by which a finding is told apart is hone's.
func TestRulesAreThere(t *testing.T) {
	rule := advice.RuleNamed("cpu-withheld")
	if rule == nil || advice.RuleNamed("throttled") == nil {
		t.Fatal("no such rule")
	}
	// The titles say who withholds the CPU; the rule's own text has the same words.
	for _, word := range []string{"other programs", "quota", "a signal"} {
		if withheldWords[word] == "" || !strings.Contains(rule.Looks, word) {
			t.Errorf("%q is not in %q", word, rule.Looks)
		}
	}
}

func TestJudge(t *testing.T) {
	others, at := label(call(walltime.Preempted, 0)), label(call(walltime.Running, computeLine))
	neighbour := withheldBy("other programs have the CPU", advice.Latency)
	memory := found{Rule: "idle-memory", Measure: advice.Memory, Place: code.Place{File: "svc/main.go", Line: askLine}}
	now, always := task{Cause: hog, On: 1, Off: 1}, task{Cause: hog}
	for name, c := range map[string]struct {
		task  task
		said  answer
		right bool
	}{
		"the tail says it":            {now, said(others), true},
		"the tail says another cause": {now, said(label(call(walltime.Halted, 0)), neighbour), false},
		"nothing is said":             {now, answer{}, false},
		"all the time, a finding":     {always, said(at, memory, neighbour), true},
		"all the time, a finding of others": {always,
			said(at, withheldBy("a signal has stopped the program", advice.Tail)), false},
		"all the time, the second finding": {always, said(at, withheldBy("a signal has stopped the program", advice.Tail),
			neighbour), false},
		"a quota by the other rule": {task{Cause: quota}, said(at, found{Rule: "throttled", Measure: advice.Latency}), true},
		"a backend by a finding at its line": {task{Cause: backend}, said(at, found{Rule: "long-wait", Measure: advice.Tail,
			Place: code.Place{File: "svc/main.go", Line: askLine}}), true},
		"clean and silent":             {task{Cause: nothing}, said(at, memory), true},
		"clean, only the tail says so": {task{Cause: nothing}, said(others), true},
		"clean, a neighbour":           {task{Cause: nothing}, said(at, neighbour), false},
		"clean, the host": {task{Cause: nothing},
			said(at, withheldBy("the host of the virtual machine gives the CPU to others", advice.Tail)), true},
		"clean, the disk": {task{Cause: nothing}, said(at, found{Rule: "unbuffered-writes", Measure: advice.Tail,
			Place: code.Place{File: "svc/main.go", Line: writeLine}}), false},
		"clean, what a write computes": {task{Cause: nothing}, said(at, found{Rule: "unbuffered-writes", Measure: advice.CPU,
			Place: code.Place{File: "svc/main.go", Line: writeLine}}), true},
	} {
		if j := judgeRun(c.task, c.said, someLines); j.Right != c.right {
			t.Errorf("%s: %+v, want right %v", name, j, c.right)
		}
	}
}

// A machine that is busy, and an injection that did nothing, put a run aside; one that counts stays.
func TestAside(t *testing.T) {
	with := func(c cause, m conditions, i injected) record {
		return record{Task: &task{Cause: c}, Machine: m, Injected: i, Said: &answer{}}
	}
	for name, c := range map[string]struct {
		r    record
		want string
	}{
		"quiet": {with(nothing, conditions{}, injected{}), ""},
		"busy before": {record{Task: &task{}, Machine: conditions{Before: 0.2}},
			"a thread that spins got no CPU for 20.0 %"},
		"others":              {with(nothing, conditions{Others: 0.1}, injected{}), "other programs had 10.0 % of a CPU"},
		"bursts":              {with(nothing, conditions{Bursts: 0.1}, injected{}), "at work for 10.0 %"},
		"steal":               {with(hog, conditions{Steal: 0.1}, injected{CPU: time.Hour}), "the host had 10.0 %"},
		"nothing spun":        {with(hog, conditions{}, injected{CPU: 1e9, For: 2e10}), "what spins got 1s of CPU in 20s"},
		"it spun":             {with(hog, conditions{}, injected{CPU: 9e9, For: 2e10}), ""},
		"never stopped":       {with(stopped, conditions{}, injected{Stops: 1}), "1 stops"},
		"a quota that is big": {with(quota, conditions{}, injected{Throttled: 2}), "in 2 periods"},
		"a backend that is quick": {with(backend, conditions{}, injected{Stops: 20, Waited: 0.2}),
			"the slowest requests waited for 20 % of their time"},
		"a slow disk": {with(disk, conditions{}, injected{Waited: 0.9}), ""},
	} {
		if got := c.r.aside(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: put aside %q, want %q", name, got, c.want)
		}
	}
	one, busy := with(hog, conditions{}, injected{CPU: 1}), with(hog, conditions{Steal: 1}, injected{CPU: 1})
	if got := last([]record{one, busy}); !got[*one.Task].counts() {
		t.Error("a busy run has replaced one that counts")
	}
	if got := last([]record{busy, one}); !got[*one.Task].counts() {
		t.Error("a busy run was not replaced")
	}
}

// A seed draws the same runs each time, eight of each cause and as many clean ones; fewer are the first of them.
func TestDrawn(t *testing.T) {
	all := drawn(7, perSide, causes)
	if len(all) != 2*perSide || !slices.Equal(all, drawn(7, perSide, causes)) ||
		slices.Equal(all, drawn(8, perSide, causes)) {
		t.Fatalf("%d runs", len(all))
	}
	n, seen := map[cause]int{}, map[task]bool{}
	for _, one := range all {
		n[one.Cause]++
		if seen[one] {
			t.Errorf("%v is there twice", one)
		}
		seen[one] = true
		switch {
		case one.Cause == backend && one.Service != relay, one.Cause == nothing && one.Service == through,
			one.Cause == disk && one.steady() != (one.Service == through), one.Rate == 0 && one.Connections > 20:
			t.Errorf("%+v", one)
		}
	}
	for _, c := range causes[1:] {
		if n[c] != perSide/(len(causes)-1) {
			t.Errorf("%d runs of %s", n[c], c)
		}
	}
	if few := drawn(7, 5, causes); !slices.Equal(few, all[:10]) {
		t.Errorf("%v", few)
	}
	for _, one := range drawn(7, perSide, []cause{disk}) {
		if one.Cause != disk {
			t.Errorf("%v", one)
		}
	}
}

// The service's comments are at lines that call what they say.
func TestLinesOfTheService(t *testing.T) {
	l, err := readLines(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(text), "\n")
	words := map[cause]int{}
	for line, c := range l {
		words[c]++
		calls := map[cause][]string{backend: {"s.client.Get(", "io.Copy("}, disk: {".Write(", ".Sync("}}[c]
		if !slices.ContainsFunc(calls, func(one string) bool { return strings.Contains(all[line-1], one) }) {
			t.Errorf("line %d waits for %s: %s", line, c, all[line-1])
		}
	}
	if words[backend] != 2 || words[disk] != 3 {
		t.Errorf("%v", words)
	}
}

// Without hone: what is injected makes the service wait where its comments say, and nothing else does.
func TestServices(t *testing.T) {
	dir := t.TempDir() + "/"
	if err := proc.BuildGo(t.Context(), ".", dir, "./disturbed/svc", "./disturbed/helper"); err != nil {
		t.Fatal(err)
	}
	for _, one := range []task{
		{Cause: backend, Service: relay, On: 150 * time.Millisecond, Off: 200 * time.Millisecond},
		{Cause: stopped, Service: journal, On: 100 * time.Millisecond, Off: 100 * time.Millisecond},
		{Cause: disk, Service: journal, On: 300 * time.Millisecond, Off: 100 * time.Millisecond},
	} {
		t.Run(one.String(), func(t *testing.T) {
			t.Parallel()
			did := serveFor(t, one, dir, 1200*time.Millisecond)
			if one.Cause != disk && did.Stops < 3 {
				t.Errorf("%d stops", did.Stops)
			}
			if waits := did.Waited >= leastWaited; one.Cause != stopped && !waits {
				t.Errorf("the slowest requests waited for %.0f %% of their time", 100*did.Waited)
			}
		})
	}
}

// serveFor disturbs a service for a time in which it answers some clients.
func serveFor(t *testing.T, one task, programs string, d time.Duration) injected {
	t.Helper()
	s := &stage{task: one, helper: programs + "helper", dir: t.TempDir()}
	defer s.strike()
	if err := s.set(t.Context()); err != nil {
		t.Fatal(err)
	}
	service, err := proc.Serve(t.Context(), -1, proc.Command{Program: programs + "svc", Args: s.args})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for range 8 {
		go func() {
			pause := time.NewTicker(2 * time.Millisecond)
			defer pause.Stop()
			for ctx.Err() == nil {
				if answer, err := http.Get("http://" + service.Addr + "/"); err == nil {
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				select {
				case <-pause.C:
				case <-ctx.Done():
				}
			}
		}()
	}
	did, err := s.disturb(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return did
}

// A record that is cut, or none, says nothing.
func TestWaitedShare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record")
	if got := waitedShare(path); got != 0 {
		t.Errorf("of no file: %v", got)
	}
	text := `{"requests":10,"slow_ns":100,"waited_ns":90}` + "\n" + `{"requests":10,"slow_ns":300,"waited_ns":10}` +
		"\n" + `{"requ`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := waitedShare(path); got != 0.25 {
		t.Errorf("%v, want 0.25", got)
	}
}

// The document has the goals, what was not right, and what was put aside.
func TestDocument(t *testing.T) {
	todo := drawn(1, 5, causes)
	all := map[task]record{}
	for i, one := range todo {
		r := record{Task: &todo[i], Said: &answer{},
			Injected: injected{CPU: time.Hour, Stops: 50, Throttled: 90, Waited: 0.9}}
		if one.Cause == hog {
			a := said(label(call(walltime.Preempted, 0)))
			r.Said = &a
		}
		if one.Cause == quota {
			r.Machine.Steal = 0.5
		}
		all[one] = r
	}
	delete(all, todo[9])
	got := &bed.Result{}
	write(got, all, todo)
	text := got.Text()
	for _, want := range []string{
		"what disturbs is named first: 1 of 4, 25.0 %", "no finding of what would disturb: 4 of 4, 100.0 %",
		"Not right: run 2, stopped",
		"busy: the host had 50.0 % of the CPUs", "1 of 9 runs are put aside; 1 of 10 are not taken yet.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

package robust

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// wantFailures holds the failures of an outcome against parts of them, in order.
func wantFailures(t *testing.T, o outcome, parts ...string) {
	t.Helper()
	ok := len(o.Failures) == len(parts)
	for i := range min(len(parts), len(o.Failures)) {
		ok = ok && strings.Contains(o.Failures[i], parts[i])
	}
	if !ok {
		t.Errorf("failures %q, want %q", o.Failures, parts)
	}
}

func TestWhatAKillMayLeave(t *testing.T) {
	old := storedRun{Status: "complete", Document: "d", Row: "r"}
	changed := storedRun{Status: "complete", Document: "e", Row: "r"}
	dead := storedRun{Status: crashed}
	ledger := func(runs map[string]storedRun) contents { return contents{Runs: runs} }
	for _, c := range []struct {
		name          string
		before, after contents
		first         map[string]string
		hit           bool
		failures      []string
	}{
		{"nothing was under way", ledger(map[string]storedRun{"a": old}),
			ledger(map[string]storedRun{"a": old, "next": old}),
			map[string]string{"a": "complete"}, false, nil},
		{"the run under way crashed", ledger(map[string]storedRun{"a": old}),
			ledger(map[string]storedRun{"a": old, "b": dead}),
			map[string]string{"a": "complete", "b": crashed}, true, nil},
		{"an earlier crash is not a hit", ledger(map[string]storedRun{"a": dead}),
			ledger(map[string]storedRun{"a": dead}),
			map[string]string{"a": crashed}, false, nil},
		{"it had just ended", contents{}, ledger(map[string]storedRun{"b": old}), map[string]string{"b": "complete"},
			false, nil},
		{"it passes for alive", contents{}, ledger(map[string]storedRun{"b": dead}), map[string]string{"b": "running"},
			false,
			[]string{`run b is "running" for a reader`, `run b is running for a reader after the kill, and "crashed"`}},
		{"the next writer forgets it", contents{}, contents{}, map[string]string{"b": crashed}, true,
			[]string{`and "" behind the next writer`}},
		{"an earlier run is lost", ledger(map[string]storedRun{"a": old}), contents{},
			map[string]string{"a": "complete"}, false, []string{"run a, complete before the kill, is lost"}},
		{"an earlier run is changed", ledger(map[string]storedRun{"a": old}),
			ledger(map[string]storedRun{"a": changed}), map[string]string{"a": "complete"}, false,
			[]string{"run a, complete before the kill, is not what it was"}},
		{"an earlier run is lost to a reader", ledger(map[string]storedRun{"a": old}),
			ledger(map[string]storedRun{"a": old}), map[string]string{}, false,
			[]string{`run a, complete before the kill, is "" for a reader`}},
		{"a file is changed", contents{Files: map[string]string{"ab/c": "1"}},
			contents{Files: map[string]string{"ab/c": "2"}}, nil, false, []string{"file ab/c"}},
		{"a file is lost", contents{Files: map[string]string{"ab/c": "1"}}, contents{}, nil, false,
			[]string{"file ab/c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o outcome
			if hit := judgeRuns(&o, c.before, c.first, c.after); hit != c.hit {
				t.Errorf("hit %v, want %v", hit, c.hit)
			}
			wantFailures(t, o, c.failures...)
		})
	}
}

func TestTheNextCommandIsQuickAndEndsWithNone(t *testing.T) {
	for _, c := range []struct {
		d        ran
		failures []string
	}{
		{ran{args: []string{"history"}, cpu: time.Second}, nil},
		{ran{args: []string{"history"}, cpu: 3 * time.Second}, []string{"hone history took 3.0 s of CPU"}},
		{ran{args: []string{"history", "--json"}, code: 5, stderr: []byte("hone: it is damaged\nhint: none\n")},
			[]string{"hone history ended with code 5, want one of [0]: hone: it is damaged"}},
		{ran{args: []string{"ledger", "verify", "more"}, code: 2, stderr: []byte("x\npanic: oh no\n\ngoroutine 1")},
			[]string{"hone ledger verify died: panic: oh no"}},
		{ran{args: []string{"history"}, code: -1, signal: syscall.SIGSEGV},
			[]string{"ended by signal segmentation fault"}},
		{ran{args: []string{"history"}, code: -1, signal: syscall.SIGKILL, hung: true, wall: time.Minute},
			[]string{"hung and was killed after 60.0 s"}},
	} {
		var o outcome
		o.judgeNext(c.d)
		wantFailures(t, o, c.failures...)
	}
}

func TestRunsThatADamagedLedgerMustKeep(t *testing.T) {
	old, dead := storedRun{Status: "complete", Document: "d"}, storedRun{Status: crashed}
	holds := contents{Runs: map[string]storedRun{"a": old, "b": old, "c": dead, "d": old, "e": old}}
	var o outcome
	judgeKept(&o, holds, contents{Runs: map[string]storedRun{"a": old, "b": {Status: "complete", Document: "e"}}},
		"after repair ", "run e")
	wantFailures(t, o, "after repair run b is not what it was", "after repair run d is lost")
}

func TestWhatAHostileServerMayDo(t *testing.T) {
	const account = `{"account":{"scheduled":10,"sent":9,"unsent":1,"answered":5,"failed":3,"unanswered":1}}`
	for _, c := range []struct {
		name     string
		d        ran
		right    int64
		failures []string
	}{
		{"invalid", ran{code: 4, stdout: []byte(account)}, 5, nil},
		{"no connection", ran{code: 7}, 0, nil},
		{"wrong taken for right", ran{code: 4, stdout: []byte(account)}, 4,
			[]string{"5 answers are counted as right, and 4 were"}},
		{"memory", ran{code: 4, stdout: []byte(account), peak: 300 << 20}, 5, []string{"hone took 300 MB"}},
		{"bad input", ran{args: []string{"load"}, code: 2}, 0, []string{"hone load ended with code 2"}},
		{"an account with a hole", ran{stdout: []byte(`{"account":{"scheduled":3,"sent":3,"answered":1}}`)}, 1,
			[]string{"does not add up"}},
		{"no JSON", ran{stdout: []byte("{")}, 1, []string{"its JSON"}},
		{"hung", ran{args: []string{"load"}, code: -1, hung: true, stdout: []byte("{")}, 0, []string{"hone load hung"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o outcome
			judgeMeeting(&o, c.d, hostileCodes, c.right)
			wantFailures(t, o, c.failures...)
		})
	}
}

func TestHoneMayNotGoOnWithoutItsGuard(t *testing.T) {
	for _, c := range []struct {
		d        ran
		failures []string
	}{
		{ran{code: 3}, nil},
		{ran{code: 0}, []string{"ended with code 0"}},
		{ran{code: -1, hung: true}, []string{"went on"}},
		{ran{code: 2, stderr: []byte("fatal error: all goroutines are asleep\n")},
			[]string{"died without its guard: fatal error"}},
	} {
		var o outcome
		judgeAlone(&o, c.d)
		wantFailures(t, o, c.failures...)
	}
}

func TestFlagsOfHoneStandBeforeTheProgramsOwn(t *testing.T) {
	for _, v := range victims {
		args := v.invocation(&project{dir: "d", profile: "p"}, "there").args
		at := slices.Index(args, "--ledger")
		if end := slices.Index(args, "--"); at < 0 || args[at+1] != "there" || end >= 0 && end < at {
			t.Errorf("%s: %q", v.name, args)
		}
	}
}

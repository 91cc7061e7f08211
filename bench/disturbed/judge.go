package disturbed

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/walltime"
)

// judgement is what became of one run.
type judgement struct {
	task
	// Said is what hone says first of the slow tail, and Found what its first finding about time is of; empty for
	// something that is not injected.
	Said, Found cause
	Right       bool
	// False are the findings of a clean run that name a disturbance: it had none.
	False []found
}

// judgeRun holds what hone said against what was injected.
func judgeRun(t task, a answer, l lines) judgement {
	j := judgement{task: t}
	if len(a.Causes) > 0 {
		j.Said = l.ofLabel(a.Causes[0].Label)
	}
	for _, f := range a.Findings {
		if f.Measure == advice.Latency || f.Measure == advice.Tail {
			j.Found = l.ofFinding(f)
			break
		}
	}
	if t.Cause != nothing {
		j.Right = j.Said == t.Cause || t.steady() && j.Found == t.Cause
		return j
	}
	for _, f := range a.Findings {
		if l.ofFinding(f) != "" {
			j.False = append(j.False, f)
		}
	}
	j.Right = len(j.False) == 0
	return j
}

// lines are those of the service that wait for a backend or for the disk, by its comments.
type lines map[int64]cause

// file is the service's, from the directory bench.
const file = "disturbed/svc/main.go"

// readLines reads the comments.
func readLines(path string) (lines, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the service: %w", err)
	}
	l := lines{}
	for i, one := range strings.Split(string(text), "\n") {
		if _, word, ok := strings.Cut(one, "//waits: "); ok {
			if !slices.Contains(causes, cause(word)) {
				return nil, fmt.Errorf("%s:%d waits for %q", path, i+1, word)
			}
			l[int64(i+1)] = cause(word)
		}
	}
	return l, nil
}

// at is what the service waits for in a line.
func (l lines) at(path string, line int64) cause {
	if filepath.Base(path) != filepath.Base(file) {
		return ""
	}
	return l[line]
}

// withholds are the states of a program that does not get its CPU. Steal is not injected.
var withholds = map[walltime.State]cause{walltime.Preempted: hog, walltime.Throttled: quota, walltime.Halted: stopped}

// waitsIn are the states of a wait for a backend and for the disk.
var waitsIn = map[cause]walltime.State{backend: walltime.Network, disk: walltime.Syscall}

// ofLabel is what a part of the tail is of. Where several requests write to one file, or a library waits for its own
// goroutine, it is said what that does.
func (l lines) ofLabel(said walltime.Label) cause {
	if c := withholds[said.State]; c != "" {
		return c
	}
	calls := []walltime.Call{said.Call}
	for _, other := range []*walltime.Call{said.Holder, said.Behind} {
		if other != nil {
			calls = append(calls, *other)
		}
	}
	for _, where := range calls {
		c := l.at(where.File, int64(where.Line))
		if c != "" && slices.ContainsFunc(calls, func(one walltime.Call) bool { return one.State == waitsIn[c] }) {
			return c
		}
	}
	for _, one := range calls[1:] {
		if c := withholds[one.State]; c != "" {
			return c
		}
	}
	return ""
}

// withheldWords are in the titles of the rule cpu-withheld.
var withheldWords = map[string]cause{"other programs": hog, "quota": quota, "a signal": stopped}

// ofFinding is what a finding is of.
func (l lines) ofFinding(f found) cause {
	switch f.Rule {
	case "cpu-withheld":
		for word, c := range withheldWords {
			if strings.Contains(f.Title, word) {
				return c
			}
		}
		return ""
	case "throttled":
		return quota
	}
	if f.Measure != advice.Latency && f.Measure != advice.Tail {
		return ""
	}
	return l.at(f.Place.File, f.Place.Line)
}

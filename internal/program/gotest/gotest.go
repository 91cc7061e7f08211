// Package gotest runs go test, and says which tests failed and where: what a change has to pass before it is measured.
package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
)

// Task is what to test.
type Task struct {
	// Dir is where go runs, in the module of the packages.
	Dir string
	// Env is the whole environment; nil for hone's own. Flags are those of the build.
	Env, Flags []string
	// Packages are as go test takes them.
	Packages []string
	// Time bounds the tests of each package; the builds may take a minute more for all of them. 0 is MostTime.
	Time time.Duration
}

// MostTime is how long the tests of a package may take by default.
const MostTime = 2 * time.Minute

// Failure is a test that failed.
type Failure struct {
	// Package is its import path; Test its name, "" where the package does not build, or ends early.
	Package, Test string
	// Line is the first line that says why; "" if there is none.
	Line string
}

// String names the test and its line.
func (f Failure) String() string {
	name := f.Package
	if f.Test != "" {
		name = f.Test + " of " + f.Package
	}
	if f.Line == "" {
		return name
	}
	return name + ": " + f.Line
}

// Result is what go test says.
type Result struct {
	// Passed is how many tests passed, with subtests.
	Passed int
	// Failed are the tests that failed, without those that failed by a subtest.
	Failed []Failure
}

// Has says whether a test failed, or its whole package.
func (r *Result) Has(f Failure) bool {
	return slices.ContainsFunc(r.Failed, func(g Failure) bool {
		return g.Package == f.Package && (g.Test == f.Test || g.Test == "")
	})
}

// Run tests the packages. What the tests start ends with them.
//
// Errors are fail.Subject where go test says nothing of tests: no such package, no end in time; fail.Environment where
// there is no go; ctx's own.
func Run(ctx context.Context, t Task) (*Result, error) {
	most := t.Time
	if most == 0 {
		most = MostTime
	}
	bounded, end := context.WithTimeout(ctx, time.Duration(len(t.Packages)+1)*most+time.Minute)
	defer end()
	args := slices.Concat([]string{"test", "-json"}, t.Flags, []string{"-count=1", "-timeout=" + most.String()},
		t.Packages)
	said := &events{tests: map[testName]*test{}}
	complaint, err := runGo(bounded, t, args, said)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, gocommand.ErrMissing()
	case bounded.Err() != nil:
		return nil, fail.New(fail.Subject, "the tests of %s do not end within %v", strings.Join(t.Packages, " "), most)
	case err != nil && !errors.As(err, &exit):
		return nil, fail.New(fail.Environment, "run go test: %w", err)
	}
	r := said.result(complaint)
	if err != nil && len(r.Failed) == 0 {
		return nil, fail.New(fail.Subject, "go test: %w\n%s", err, output.LastLines(complaint))
	}
	return r, nil
}

// runGo runs the go command; when ctx is done, all processes of it are killed, and at its end those that tests have
// left.
func runGo(ctx context.Context, t Task, args []string, out *events) (complaint string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	mark := lifetime.NewMark()
	cmd.Dir, cmd.Env = t.Dir, gocommand.Env(t.Env, t.Dir, lifetime.MarkVariable+"="+mark)
	stderr := &beginning{}
	cmd.Stdout, cmd.Stderr = out, stderr
	if err = lifetime.RunBound(cmd); errors.Is(err, exec.ErrWaitDelay) {
		err = nil // a test has left a child that holds the output
	}
	lifetime.EndMarked(func(one string) bool { return one == mark })
	return string(stderr.text), err
}

// mostKept is how much is kept of the output of a test, and of the complaints of go; mostLine how long an event may be.
const (
	mostKept = 64 << 10
	mostLine = 1 << 20
)

// beginning keeps what an output begins with.
type beginning struct{ text []byte }

func (b *beginning) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), mostKept-len(b.text))]...)
	return len(p), nil
}

type testName struct{ pkg, test string }

type test struct {
	output  []byte
	outcome string // pass, fail, skip; "" while it runs
}

// events reads the lines of go test -json (go doc test2json).
type events struct {
	line  []byte
	names []testName // in their order
	tests map[testName]*test
}

func (e *events) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		e.line = append(e.line, line[:min(len(line), max(0, mostLine-len(e.line)))]...)
		if line[len(line)-1] == '\n' {
			e.take(e.line)
			e.line = e.line[:0]
		}
	}
	return len(p), nil
}

func (e *events) take(line []byte) {
	var event struct{ Action, Package, Test, Output, ImportPath string }
	if json.Unmarshal(line, &event) != nil {
		return // of an old toolchain, or cut
	}
	pkg := event.Package
	if pkg == "" {
		pkg, _, _ = strings.Cut(event.ImportPath, " ") // build-output names pkg [pkg.test]
	}
	name := testName{pkg, event.Test}
	t := e.tests[name]
	if t == nil {
		t = &test{}
		e.tests[name], e.names = t, append(e.names, name)
	}
	switch event.Action {
	case "output", "build-output":
		t.output = append(t.output, event.Output[:min(len(event.Output), mostKept-len(t.output))]...)
	case "pass", "fail", "skip":
		t.outcome = event.Action
	}
}

var (
	// atLine is a line of a test, of a panic's stack below it, or of the compiler.
	atLine = regexp.MustCompile(`^\s*(\S+\.go:\d+(:\d+)?: .*)$`)
	panics = regexp.MustCompile(`^(panic: .*|fatal error: .*)$`)
	noise  = regexp.MustCompile(`^\s*(=== |--- |FAIL|ok\s|PASS|#\s|exit status|$)`)
)

// firstReason is the first line of an output that says why a test failed.
func firstReason(output string) string {
	for _, wanted := range []*regexp.Regexp{atLine, panics} {
		for line := range strings.Lines(output) {
			if m := wanted.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
				return m[1]
			}
		}
	}
	for line := range strings.Lines(output) {
		if !noise.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func (e *events) result(complaint string) *Result {
	r := &Result{}
	failed := func(n testName) bool { return e.tests[n].outcome == "fail" }
	for _, n := range e.names {
		switch {
		case e.tests[n].outcome == "pass" && n.test != "":
			r.Passed++
		case failed(n) && !slices.ContainsFunc(e.names, func(m testName) bool { // one of its own tests says it
			inner := m.pkg == n.pkg && m != n && failed(m)
			return inner && (n.test == "" || strings.HasPrefix(m.test, n.test+"/"))
		}):
			reason := firstReason(string(e.tests[n].output))
			if n.test == "" && reason == "" {
				reason = e.unfinished(n.pkg)
			}
			if n.test == "" && (reason == "" || !atLine.MatchString(reason)) {
				if said := firstReason(complaint); atLine.MatchString(said) {
					reason = said
				}
			}
			r.Failed = append(r.Failed, Failure{n.pkg, n.test, reason})
		}
	}
	return r
}

// unfinished is what a test of a package says that ran when the process ended, such as at the limit of time.
func (e *events) unfinished(pkg string) string {
	for _, n := range e.names {
		if n.pkg == pkg && n.test != "" && e.tests[n].outcome == "" {
			if reason := firstReason(string(e.tests[n].output)); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// Command is how a test is run alone.
func (f Failure) Command() string {
	if f.Test == "" {
		return "go test " + f.Package
	}
	top, _, _ := strings.Cut(f.Test, "/")
	return fmt.Sprintf("go test -run '^%s$' %s", top, f.Package)
}

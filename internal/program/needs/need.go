// Package needs starts the programs that a subject cannot do without, such as a database or a backend, each under a
// guard of its own, and watches and ends them.
package needs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// Need is one program that is started before the subject. Needs are started in their order, and ended in the
// opposite one.
type Need struct {
	// Name is how templates of what is started later call it: {db.port}. Letters, digits, _ and - only.
	Name string `json:"name"`
	// Command is executed without a shell. The templates of a variant's arguments are filled, and those of the needs
	// before it.
	Command []string `json:"command"`
	// Env are KEY=VALUE additions to hone's own environment, templates filled.
	Env []string `json:"env,omitempty"`
	// Dir is the directory that it runs in, absolute; empty: that of hone.
	Dir string `json:"dir,omitempty"`
	// Ready is what subject.ParseReady reads. Empty: it is ready when it listens on its {port} or {socket}, and on any
	// port or socket if its command has neither.
	Ready string `json:"ready,omitempty"`
	// ReadyTimeout is how long it may take until then; 0 is DefaultReadyTimeout.
	ReadyTimeout time.Duration `json:"ready_timeout_ns,omitempty"`
	// Each starts it afresh for each start of a variant; else one serves the whole measurement.
	Each bool `json:"each,omitempty"`
}

// DefaultReadyTimeout is how long a need may take to be ready: a database makes its files first, and go run builds.
const DefaultReadyTimeout = 30 * time.Second

var name = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// foreign matches the templates of needs, with the name of their owner.
var foreign = regexp.MustCompile(`\{([A-Za-z0-9_-]+)\.(port[2-9]?|socket[2-9]?|dir)\}`)

// Check reports all faults of needs at once, as fail.BadInput.
func Check(all []Need) error {
	var faults []error
	var before []Need
	for _, n := range all {
		faults = append(faults, n.Check(before))
		before = append(before, n)
	}
	return errors.Join(faults...)
}

// Check reports the first fault of a need, as fail.BadInput; before are those that are started before it.
func (n Need) Check(before []Need) error {
	say := func(hint, format string, args ...any) error {
		return fail.New(fail.BadInput, "need %s: %w", n.Name, fmt.Errorf(format, args...)).WithHint("%s", hint)
	}
	switch {
	case !name.MatchString(n.Name):
		return say("names have letters, digits, _ and - only", "%q is not a name", n.Name)
	case slices.ContainsFunc(before, func(b Need) bool { return b.Name == n.Name }):
		return say("give each its own", "two needs have this name")
	case len(n.Command) == 0 || n.Command[0] == "":
		return say("write a command, such as db='postgres -D {dir} -p {port}'", "no command")
	case n.ReadyTimeout < 0:
		return say("write a time such as 30s", "its ready-timeout is %v", n.ReadyTimeout)
	}
	for _, text := range append(append([]string{n.Ready}, n.Command...), n.Env...) {
		for _, m := range foreign.FindAllStringSubmatch(text, -1) {
			i := slices.IndexFunc(before, func(b Need) bool { return b.Name == m[1] })
			switch {
			case i < 0:
				return say("needs are started in the order in which they are written",
					"%s: no need called %s is started before", m[0], m[1])
			case before[i].Each && !n.Each:
				return say("start both once for all, or both for each start",
					"%s: %s is started afresh for each start, and this one once for all", m[0], m[1])
			}
		}
	}
	if n.Ready != "" {
		if _, err := subject.ParseReady(n.Ready); err != nil {
			return say("write "+subject.ReadyForms, "%w", err)
		}
	}
	return nil
}

// holds says whether its command or its environment has a template.
func (n Need) holds(template string) bool {
	return slices.ContainsFunc(append(slices.Clone(n.Command), n.Env...),
		func(s string) bool { return strings.Contains(s, template) })
}

// Redacted returns the need as it may be stored and printed.
func (n Need) Redacted(hide redact.Env) Need {
	n.Command, n.Env = redact.Args(n.Command), hide.Entries(n.Env)
	return n
}

// Of returns those that are started afresh for each start, or those that serve all.
func Of(all []Need, each bool) []Need {
	var some []Need
	for _, n := range all {
		if n.Each == each {
			some = append(some, n)
		}
	}
	return some
}

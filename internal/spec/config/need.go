package config

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/text/fail"
)

// Need is a program that is started before the subject, and ended after it.
type Need struct {
	Command      Command         `json:"command,omitzero" jsonschema:"The command: a list of words or one line without a shell. {port}, {socket} and {dir} as in args; {NAME.port}, {NAME.socket} and {NAME.dir} are those of a need above. A path with a / in it begins in the directory of this file, where the command runs."`
	Env          map[string]Text `json:"env,omitempty" jsonschema:"Its environment, added to hone's own; templates as in command."`
	Ready        Text            `json:"ready,omitzero" jsonschema:"When it is ready: as ready of subject. Without it: when it listens on its {port} or {socket}, and on any port or socket if it has neither."`
	ReadyTimeout Text            `json:"ready-timeout,omitzero" jsonschema:"How long it may take until then (default 30s)."`
	Each         Text            `json:"each,omitzero" jsonschema:"true: a fresh one for each start of a variant; else one serves the whole measurement."`

	at Position // of its name
}

// Needs lists what the file has to be started before the subject, in its order.
func (d *Document) Needs(dir string) []needs.Need {
	table := d.Subject.Needs
	names := slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		x, y := table[a].at, table[b].at
		return cmp.Or(x.Line-y.Line, x.Column-y.Column)
	})
	var all []needs.Need
	for _, name := range names {
		n := table[name]
		timeout, _ := time.ParseDuration(n.ReadyTimeout.Value) // checkNeeds has read both
		each, _ := strconv.ParseBool(n.Each.Value)
		all = append(all, needs.Need{
			Name: name, Command: n.Command.Words, Env: environment(n.Env), Dir: dir, Ready: n.Ready.Value,
			ReadyTimeout: timeout, Each: each,
		})
	}
	return all
}

// checkNeeds judges the needs, and what says when a program is ready.
func (f *faults) checkNeeds(doc *Document) {
	f.checkReady("ready", doc.Subject.Ready)
	f.checkTime("ready-timeout", doc.Subject.ReadyTimeout)
	f.checkTime("after-start-timeout", doc.Subject.AfterStartTimeout)
	var before []needs.Need
	for _, n := range doc.Needs("") {
		given := doc.Subject.Needs[n.Name]
		f.checkTime("needs: ready-timeout", given.ReadyTimeout)
		if given.Each.given() {
			if _, err := strconv.ParseBool(given.Each.Value); err != nil {
				f.say(given.Each.At, "write true or false", "needs: each: %s is neither true nor false",
					shortened(given.Each.Value))
			}
		}
		if given.Ready.given() && given.Ready.Value == "" {
			f.say(given.Ready.At, "write "+subject.ReadyForms, "needs: ready: an empty text")
		}
		if err := n.Check(before); err != nil {
			f.say(given.at, fail.HintOf(err), "%v", err)
		}
		before = append(before, n)
	}
}

func (f *faults) checkReady(key string, text Text) {
	if !text.given() {
		return
	}
	if _, err := subject.ParseReady(text.Value); err != nil {
		f.say(text.At, fail.HintOf(err), "%s: %v", key, err)
	}
}

func (f *faults) checkTime(key string, text Text) {
	if !text.given() {
		return
	}
	if d, err := time.ParseDuration(text.Value); err != nil || d <= 0 {
		f.say(text.At, "write a number with its unit: 30s, 2m", "%s: %s is not a time", key, shortened(text.Value))
	}
}

// NeedCommands lists, a line each, what is executed for needs.
func NeedCommands(all []needs.Need) []string {
	if len(all) == 0 {
		return nil
	}
	lines := []string{"needs, started before:"}
	for _, n := range all {
		when := "once for all starts"
		if n.Each {
			when = "before each start"
		}
		until := ""
		if n.Ready != "" {
			until = ", ready: " + Show(n.Ready)
		}
		lines = append(lines, "  cd "+Show(n.Dir)+" && "+shownEnv(n.Env)+ShowAll(n.Command)+"  # "+n.Name+", "+when+
			until)
	}
	return lines
}

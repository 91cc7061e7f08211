package app

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/spec/trust"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
)

// A stored run asks for a lot when it is measured again: commands, flags of the compiler, an environment, directories.
// It is the user's own if this user's hone has measured it, which its mark says. One that came with an archive, a store
// or a directory of others needs the user's trust first, as a hone.yaml does.

// OpenToMeasure opens the ledger for a command that measures: what it stores there is marked as the user's own. Without
// a key, such as where the home directory cannot be written, it is not, and the user is told.
func (a *App) OpenToMeasure(dir string) (*ledger.Ledger, error) {
	return ledger.OpenWith(dir, ledger.Options{Mark: a.UserMark(), Wait: measureWait})
}

// measureWait is how long a command that measures waits for one that only keeps something, which takes less. Another
// measurement takes longer, and would disturb this one.
const measureWait = time.Second

// OpenToKeep opens the ledger for a command that has what it keeps, and waits for another hone that writes: a
// measurement may go on for minutes. What was taken meanwhile is not lost.
func (a *App) OpenToKeep(dir string, quiet bool, mark func([]byte) string) (*ledger.Ledger, error) {
	ctx := a.Ctx
	if ctx.Err() != nil { // what was taken before the first Ctrl-C is kept, too
		ctx = a.Hard
	}
	return ledger.OpenWaiting(ctx, dir, ledger.Options{Mark: mark}, func(writer string) {
		if !quiet {
			fmt.Fprintf(a.Stderr, "%s is writing to the ledger %s: waiting until it has ended\n", writer, dir)
		}
	})
}

// UserMark makes the marks of the user's own runs.
func (a *App) UserMark() func([]byte) string {
	key, err := trust.MakeUserKey()
	if err != nil {
		fmt.Fprintf(a.Stderr,
			"note: cannot sign this run as yours: hone advise --verify and hone tune will ask for hone trust: %s\n",
			printable.Indented(redact.Text(err.Error())))
	}
	return key.Mark
}

// Standing is whose a stored run or comparison is.
type Standing struct {
	Own, Trusted bool
	// Path and content are what trust in it is kept by.
	Path    string
	Content []byte
}

// StandingOf finds out whose a stored run or comparison is. An error means that it counts as a stranger's.
func (a *App) StandingOf(l *ledger.Ledger, ref ledger.Ref) (s Standing, err error) {
	r, err := l.Record(ref)
	if err != nil {
		return s, err
	}
	if s.Content, err = r.Content(); err != nil {
		return s, err
	}
	key, err := trust.UserKey()
	if err != nil {
		return s, err
	}
	s.Path = TrustPath(l.Dir(), ref)
	if s.Own = r.Origin() == nil && key.Made(r.Mark, s.Content); s.Own {
		return s, nil
	}
	store, err := trust.User()
	if err != nil {
		return s, err
	}
	s.Trusted, err = store.Trusted(s.Path, s.Content)
	return s, err
}

// TrustPath is the key of a run or comparison in the store of trust. It looks like a path, but no file is there.
func TrustPath(dir string, ref ledger.Ref) string {
	return filepath.Join(dir, string(ref.Kind)+"s", filepath.Base(ref.ID))
}

// RunRef names a run.
func RunRef(id string) ledger.Ref { return ledger.Ref{Kind: ledger.KindRun, ID: id} }

// isOwn says whether a stored run or comparison is the user's own, or trusted. What is so stays so, since finished ones
// do not change.
func (a *App) isOwn(l *ledger.Ledger, ref ledger.Ref) bool {
	name := TrustPath(l.Dir(), ref)
	if _, known := a.owned.Load(name); known {
		return true
	}
	s, err := a.StandingOf(l, ref)
	if err != nil || !s.Own && !s.Trusted {
		return false
	}
	a.owned.Store(name, true)
	return true
}

// CheckRun refuses a run of the ledger in dir that is to be measured again and is neither the user's own nor trusted.
func (a *App) CheckRun(l *ledger.Ledger, dir string, r record.Run) error {
	s, err := a.StandingOf(l, RunRef(r.ID))
	if err != nil || s.Own || s.Trusted {
		return err
	}
	hint := "hone trust " + r.ID
	if dir != ".hone" {
		hint += " --ledger " + config.Show(dir)
	}
	return fail.New(fail.Untrusted,
		"run %s was not measured by your own hone, and nothing that it says was executed. It asks for:\n%s",
		r.ID, strings.Join(AsksOf(r), "\n")).WithHint("read it, and if you agree: %s", hint)
}

// AsksOf lists, a line each, all that a run makes hone do when it is measured again.
func AsksOf(r record.Run) []string {
	asks := lab.RepetitionOf(r)
	var lines []string
	say := func(what string, words ...string) {
		if len(words) > 0 && strings.Join(words, "") != "" {
			lines = append(lines, what+":", "  "+config.ShowAll(words))
		}
	}
	if v, executes := asks.Program(); executes {
		say("in the directory", asks.WorkDir)
		if source.IsRelative(v.Source) {
			v.Source = filepath.Join(asks.WorkDir, filepath.FromSlash(v.Source))
		}
		lines = append(lines, config.NeedCommands(asks.Needs)...)
		lines = append(lines, "program:")
		program := config.Resolved{Variant: v, Dir: asks.Dir, Copy: asks.Copy,
			Base: cmp.Or(asks.CopyFrom, asks.WorkDir)}
		for _, line := range program.Commands() {
			lines = append(lines, "  "+line)
		}
		say("load command", asks.LoadCommand.Words...)
		say("load on", asks.Target)
		say("path", asks.Path)
		say("options of the load", asks.Spoken)
		say("wait for", asks.Ready)
		say("page of metrics", asks.Metrics.Page)
	}
	say("sources are read in", asks.ModuleDir)
	return lines
}

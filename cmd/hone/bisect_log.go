package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/bisect"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/view/model/commits"
)

// bisections is the directory of the logs of searches in a ledger.
const bisections = "bisect"

func (a *commands) bisectLogCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "log [FILE]",
		Short: "Print what the latest search found out, for git bisect replay",
		Long: `log prints the log of the latest search of this ledger, or a file of .hone/bisect. git bisect replay reads it, and
hone bisect --replay, which also knows what was measured.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.bisectLog(f.Ledger, args) },
	}
	app.AddOptions(cmd, spec.ForKeeping, f)
	return cmd
}

func (a *commands) bisectLog(dir string, args []string) error {
	home, err := storedir.Open(dir)
	if err != nil {
		return err
	}
	defer home.Close()
	var name string
	if len(args) > 0 {
		name = filepath.Base(args[0])
	} else if name, err = latestLog(home, func([]byte) bool { return true }); err != nil {
		return err
	}
	if name == "" {
		return fail.New(fail.BadInput, "%s has no log of a search", dir).WithHint("hone bisect GOOD PACKAGE writes one")
	}
	f, err := home.Open(bisections + "/" + name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(a.Stdout, f)
	return err
}

// latestLog is the name of the newest log that fits; empty if there is none.
func latestLog(home *storedir.Dir, fits func(text []byte) bool) (string, error) {
	names, err := home.Names(bisections)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	slices.Sort(names)
	for _, name := range slices.Backward(names) {
		text, err := readLog(home, name)
		if err == nil && fits(text) {
			return name, nil
		}
	}
	return "", err
}

func readLog(home *storedir.Dir, name string) ([]byte, error) {
	f, err := home.Open(bisections + "/" + name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return inputs.SearchLog.ReadAll(name, f)
}

// openLog opens the log of a new search, with what an earlier one found out if the command line says so.
func (b *bisection) openLog(now time.Time, question string) error {
	if b.Bisect.Resume && b.Bisect.Replay != "" {
		return fail.New(fail.BadInput, "--resume and --replay exclude each other").WithHint("choose one of them")
	}
	home, err := storedir.Make(b.Ledger)
	if err != nil {
		return err
	}
	defer home.Close()
	if err := ledger.CheckOrigin(b.Ledger); err != nil {
		return err
	}
	if err := ledger.HideFromGit(home); err != nil {
		return err
	}
	if _, err := home.Mkdir(bisections); err != nil {
		return err
	}
	log := &bisect.Log{Question: question}
	if log.Earlier, err = b.earlier(home, log); err != nil {
		return err
	}
	name := now.UTC().Format("20060102-150405.000") + ".log"
	out, err := home.Create(bisections + "/" + name)
	if err != nil {
		return err
	}
	log.Out, b.task.Log, b.file = out, log, filepath.Join(b.Ledger, bisections, name)
	return nil
}

// earlier is what an earlier search found out: that of a file, or the latest one of the same question.
func (b *bisection) earlier(home *storedir.Dir, log *bisect.Log) ([]bisect.Entry, error) {
	if b.Bisect.Replay != "" {
		f, err := inputs.SearchLog.Open(b.Bisect.Replay)
		if err != nil {
			return nil, fail.New(fail.BadInput, "--replay %s: %w", b.Bisect.Replay, err)
		}
		defer f.Close()
		return bisect.ReadLog(b.Bisect.Replay, f)
	}
	if !b.Bisect.Resume {
		return nil, nil
	}
	start, err := b.start(log)
	if err != nil {
		return nil, err
	}
	name, err := latestLog(home, func(text []byte) bool { return strings.Contains(string(text), start) })
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, fail.New(fail.BadInput,
			"--resume: %s has no search from %s to %s with this package and these flags", b.Ledger, b.task.Good,
			b.task.Bad).
			WithHint("leave --resume out to begin one")
	}
	text, err := readLog(home, name)
	if err != nil {
		return nil, err
	}
	return bisect.ReadLog(name, strings.NewReader(string(text)))
}

// start is how the log of this search begins.
func (b *bisection) start(log *bisect.Log) (string, error) {
	good, err := git.FindCommit(b.Ctx, b.dir, b.task.Good)
	if err != nil {
		return "", err
	}
	bad, err := git.FindCommit(b.Ctx, b.dir, b.task.Bad)
	if err != nil {
		return "", err
	}
	base, err := git.Base(b.Ctx, b.dir, good, bad)
	return log.Start(base, bad), err
}

// bisectKeeping is a search in the ledger.
type bisectKeeping struct {
	ledger *ledger.Ledger
	draft  *ledger.ComparisonDraft
}

// begin stores the search as running.
func (k *bisectKeeping) begin(r bisect.Task) error {
	doc, err := json.Marshal(commitsearch.Result{Schema: commitsearch.Schema, GoodRef: r.Good, BadRef: r.Bad})
	if err != nil {
		return fmt.Errorf("encode a search: %w", err)
	}
	if k.draft, err = k.ledger.BeginComparison(ledger.Comparison{Doc: doc}); err != nil {
		return err
	}
	progress.Tell(r.Progress, k.draft.ID())
	return nil
}

// end stores what was found. err is what ended the search early.
func (k *bisectKeeping) end(r *commitsearch.Result, file string, err error) error {
	if r == nil {
		r = &commitsearch.Result{Schema: commitsearch.Schema, Stopped: commitsearch.Interrupted}
		status, reason := statusOf(err)
		return errors.Join(err, k.draft.Finish(ledger.Comparison{Status: status, Reason: reason}))
	}
	r.ID, r.Log = k.draft.ID(), file
	doc, encoding := json.Marshal(r)
	if encoding != nil {
		return errors.Join(err, fmt.Errorf("encode a search: %w", encoding))
	}
	status, reason := statusOf(err)
	s := commits.BisectOf(r)
	stored := ledger.Comparison{Status: status, Reason: reason, Word: string(r.Stopped), Sentence: s.Sentence, Doc: doc}
	if failed := k.draft.Finish(stored); failed != nil {
		r.ID = ""
		return errors.Join(err, failed)
	}
	return err
}

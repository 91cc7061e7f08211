package main

import (
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// nothingToCompare is the error for benchmarks without --vs, with the version that fits the directory: HEAD for changes
// that are not committed, else the default branch, else the commit before.
func (a *commands) nothingToCompare(dir string, packages []string) error {
	err := fail.New(fail.BadInput, "there is nothing to compare with: --vs names a git ref or a directory")
	command := "hone bench"
	if len(packages) > 0 {
		command += " " + shellwords.Join(packages)
	}
	commit, dirty := git.CommitOf(a.Ctx, dir)
	before, noneBefore := git.FindCommit(a.Ctx, dir, "HEAD~1")
	branch := config.DefaultBranch(dir).Name
	switch main, _ := git.FindCommit(a.Ctx, dir, branch); {
	case commit == "":
		return err.WithHint("no commit is here: name the directory of another version: %s --vs ../old", command)
	case dirty, noneBefore != nil:
		return err.WithHint("for the changes since the last commit: %s --vs HEAD", command)
	case branch != "" && main != "" && main != commit && main != before:
		return err.WithHint("for the changes of this branch: %s --vs %s", command, branch)
	}
	return err.WithHint("for the last commit: %s --vs HEAD~1", command)
}

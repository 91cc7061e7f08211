package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// packageHere is what a command line without a package measures: the main package of the working directory. Where that
// has none, the error lists the main packages below it as commands to copy.
func (a *App) packageHere(cmd *cobra.Command, most int) ([]string, error) {
	dir, err := WorkDir()
	if err != nil {
		return nil, err
	}
	mains, err := config.Discover(dir)
	if err != nil {
		return nil, fail.New(fail.KindOf(err), "%s needs a main package: %w", cmd.CommandPath(), err).
			WithHint("run hone in the directory of your module, or name Go files: hone run main.go")
	}
	if slices.ContainsFunc(mains, func(m config.Main) bool { return m.Dir == "." }) {
		return a.Expand([]string{"."}, most)
	}
	var dirs []string
	for _, m := range mains {
		dirs = append(dirs, m.Dir)
	}
	return nil, fail.New(fail.BadInput, "%s needs a main package, and this directory is not one", cmd.CommandPath()).
		WithHint("%s", a.commandsWith(dirs, func(words []string, dir string) []string {
			at := slices.Index(words, "--")
			if at < 0 {
				at = len(words)
			}
			return slices.Insert(words, at, dir)
		}))
}

// mostCommands is how many commands to copy an error lists.
const mostCommands = 10

// commandsWith are the user's own command line with each of some packages, a line each.
func (a *App) commandsWith(packages []string, put func(words []string, pkg string) []string) string {
	var lines []string
	for _, pkg := range packages[:min(mostCommands, len(packages))] {
		lines = append(lines, spec.Join(append([]string{"hone"}, put(slices.Clone(a.Words), pkg)...)))
	}
	if more := len(packages) - mostCommands; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more main packages", more))
	}
	return strings.Join(lines, "\n")
}

// copyable gives the error for a source that is not a main package the user's own command line with those that are.
func (a *App) copyable(err error) error {
	missing := (*source.NoProgram)(nil)
	if !errors.As(err, &missing) || len(missing.Mains) == 0 {
		return err
	}
	at := slices.Index(a.Words, missing.Source)
	if at < 0 {
		return err // the name is a part of a word, or of hone.yaml
	}
	put := func(words []string, pkg string) []string {
		words[at] = pkg
		return words
	}
	if commits := a.commits(); slices.Contains(commits, at) {
		err = fail.New(fail.BadInput, "%s is a commit, and hone builds one package of it", missing.Source)
		put = func(words []string, pkg string) []string {
			for _, i := range commits {
				words[i] += ":" + pkg
			}
			return words
		}
	}
	return fail.New(fail.KindOf(err), "%w", err).WithHint("%s", a.commandsWith(missing.Mains, put))
}

// commits are the places of the words of the command line that name commits of the repository here, up to "--".
func (a *App) commits() (at []int) {
	dir, err := WorkDir()
	if err != nil {
		return nil
	}
	for i, word := range a.Words {
		if word == "--" {
			break
		}
		if _, err := git.FindCommit(a.Ctx, dir, word); err == nil && i > 0 { // the first one is the command
			at = append(at, i)
		}
	}
	return at
}

// IsSource says whether a word names a directory or a Go file that is there.
func IsSource(word string) bool {
	info, err := os.Stat(word)
	return err == nil && (info.IsDir() || source.IsGoFile(word))
}

// WantNoSource refuses a package where what is named here is wanted instead.
func WantNoSource(cmd *cobra.Command, words []string, wanted string) error {
	for _, word := range words {
		if IsSource(word) {
			return fail.New(fail.BadInput, "%s is source code, and %s takes %s", word, cmd.CommandPath(), wanted).
				WithHint("%s measures the program that it is of", spec.Join([]string{"hone", "run", word}))
		}
	}
	return nil
}

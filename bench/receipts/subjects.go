package receipts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/optimise"
)

// subject is what a receipt is of.
type subject struct {
	// Commit is a public commit; its Repo is corpus.Own for the service of this repository, and it has no hash where it
	// is the newest one.
	corpus.Commit
	// planted says that the receipt is of a slow-down, as a patch on top of the commit.
	planted bool
	// stages are those of the service that are compared.
	stages [2]string
}

// String names the subject.
func (s subject) String() string {
	switch {
	case s.stages[0] != "":
		return fmt.Sprintf("framed %s and %s", s.stages[0], s.stages[1])
	case s.planted:
		return s.Repo + " with a slow-down"
	}
	return strings.TrimSpace(s.Repo + " " + s.Name())
}

// before is the day on which the base of a planted slow-down is taken, so that a clone of another day has the same one.
const before = "2026-11-01"

// newest is later than any commit, and git reads no year after it.
const newest = "2099-12-31"

// planted is what a slow-down does in each call of the hot function: some microseconds, and some objects.
var planted = corpus.Planted{Iterations: 6000, Allocations: 4}

// How many subjects there are of each kind: 30 in all.
const (
	mostCommits = 15
	mostPlanted = 9
)

// renames is a commit that renames its benchmark. A receipt needs it on both sides.
const renames = "d2a1afdaca"

// subjects are all of them: public commits, one of each repository as long as there are more, slow-downs in libraries,
// and stages of framed.
func subjects() (all []subject) {
	seen := map[string]bool{}
	for _, c := range optimise.Commits() {
		if !seen[c.Repo] && c.Commit != renames && len(all) < mostCommits {
			all, seen[c.Repo] = append(all, subject{Commit: c}), true
		}
	}
	for _, s := range corpus.Libraries {
		if s.Hot != "" && len(all) < mostCommits+mostPlanted {
			all = append(all, subject{Commit: s.At(""), planted: true})
		}
	}
	for _, stages := range [][2]string{{"raw", "buffered"}, {"buffered", "pooled"}, {"pooled", "batched"},
		{"batched", "reactor"}, {"raw", "batched"}, {"buffered", "batched"}} {
		all = append(all, subject{Commit: corpus.Commit{Repo: corpus.Own}, stages: stages})
	}
	return all
}

// command is how a receipt of the subject is made in a directory: where hone runs, and its words.
func (s subject) command(ctx context.Context, clones corpus.Clones, dir string) (at string, words []string, err error) {
	if s.stages[0] != "" {
		return s.service(ctx, clones, dir)
	}
	words = []string{"bench", "--bench", s.Pattern(), "--gate", "time<+5%"}
	if !s.planted {
		trees, err := clones.CheckOut(ctx, s.Commit, dir)
		return s.WorkDir(trees[1]), append(words, "--vs", s.Base()), err
	}
	subject := corpus.SubjectOf(s.Repo)
	tree, at0, err := clones.On(ctx, *subject, before, dir)
	if err != nil {
		return "", nil, err
	}
	patch := filepath.Join(dir, "planted.diff")
	return at0.WorkDir(tree), append(words, "--vs", "HEAD", "--patch", patch), plant(ctx, subject, tree, patch)
}

// service compares two stages of framed at the newest commit of this repository.
func (s subject) service(ctx context.Context, clones corpus.Clones, dir string) (tree string, words []string, err error) {
	tree, _, err = clones.On(ctx, corpus.Subject{Repo: corpus.Own}, newest, dir)
	words = []string{"compare"}
	for _, stage := range s.stages {
		words = append(words, "HEAD:./services/framed/cmd/framed -stage "+stage)
	}
	return tree, append(words, "--target", "framed://127.0.0.1:{port}", "-c", "100", "--depth", "16", "--gate", "cpu<+5%",
		"--", "-addr", "127.0.0.1:{port}"), err
}

// plant writes a patch that plants the slow-down into what is checked out in tree, which stays as it is.
func plant(ctx context.Context, s *corpus.Subject, tree, patch string) error {
	name := filepath.Join(tree, s.HotFile())
	was, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	text, file, err := s.PlantIn(was, planted)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{name: string(text), filepath.Join(tree, s.PlantedFile()): file} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return fmt.Errorf("plant in %s: %w", s.Hot, err)
		}
	}
	if _, err := corpus.Git(ctx, tree, "", "add", "--intent-to-add", "--force", s.PlantedFile()); err != nil {
		return err
	}
	diff, err := corpus.Git(ctx, tree, "", "diff", "--no-ext-diff")
	if err != nil {
		return err
	}
	if err := os.WriteFile(patch, diff, 0o600); err != nil {
		return fmt.Errorf("write a patch: %w", err)
	}
	_, err = corpus.Git(ctx, tree, "", "reset", "--quiet", "--hard")
	return err
}

// tree is a directory in a repository that has the commits of a receipt.
func (c config) tree(ctx context.Context, repo, dir string) (string, error) {
	tree := filepath.Join(dir, "repository")
	return tree, c.clones.Share(ctx, repo, tree)
}

package optimise

import "github.com/gohone/hone/bench/corpus"

// Commits are the merged commits of the tasks.
func Commits() (all []corpus.Commit) {
	for _, t := range tasks {
		all = append(all, t.Commit)
	}
	return all
}

package optimise

import "github.com/gohone/hone/bench/corpus"

// tasks are merged commits that touch few files besides tests, build and pass their tests with today's Go on top of the
// tests of their base, and make a benchmark that the base has at least 5 % faster.
var tasks = []task{}

// merged is a commit with its benchmark, and the time per operation after it by that before.
func at(repo, hash, dir, benchmark string, k kind, took float64) task {
	return task{corpus.Commit{Repo: repo, Commit: hash, Dir: dir, Benchmark: benchmark}, k, took}
}

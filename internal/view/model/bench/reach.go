package bench

import (
	"strings"

	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/view/model"
)

// mostExecuting is how many lines say which benchmarks execute what.
const mostExecuting = 5

// Reach says what the benchmarks execute of what changed, which of them do, and what no benchmark executes. It is empty
// where nothing that is compiled has changed, and where it is not known.
func Reach(r *benchmarks.Result) (lines []string) {
	if r.Reach == nil || len(r.Reach.Functions)+len(r.Reach.Hidden) == 0 {
		return nil
	}
	lines = []string{strings.Join(model.ReachOfBenchmarks(r.Reach), "; ")}
	by := model.ExecutedBy(r.Reach)
	lines = append(lines, by[:min(len(by), mostExecuting)]...)
	if none := model.NoneExecutes(r.Reach, reach.Benchmark); len(none) > 0 && len(r.Benchmarks) == 0 && r.Shard == nil {
		lines = append(lines, "next: a benchmark that executes what changed in "+none[0]+" would measure it")
	}
	return lines
}

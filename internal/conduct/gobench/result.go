package gobench

import "github.com/gohone/hone/internal/store/benchmarks"

// isEmpty says whether there is nothing to show, if no benchmark was measured.
func isEmpty(r *benchmarks.Result) bool { return len(r.Unchanged)+len(r.Failures)+len(r.Untimed) == 0 }

package facts

import (
	"go/ast"
	"path"
	"strings"

	"github.com/gohone/hone/prof"
)

// MarkRunning notes which functions of a file's package the CPU profile sees.
func (v *View) MarkRunning(file string) {
	v.File(file).MarkRunning(func(runs func(fn *ast.FuncDecl, entered bool)) {
		for i := range v.Stacks {
			s := &v.Stacks[i]
			if s.CPU == 0 {
				continue
			}
			for j := range s.Frames[:v.repeats(s)] {
				f := &s.Frames[j]
				if path.Dir(f.File) != path.Dir(file) {
					continue
				}
				if fn := v.File(f.File).Function(int(f.Line)); fn != nil {
					runs(fn, !strings.Contains(f.Name, ".func"))
				}
			}
		}
	})
}

// repeats is how many frames of a stack run again and again, from the innermost on. Of the main goroutine, main and
// what it calls run once, up to a loop or a library that serves.
func (v *View) repeats(s *Stack) int {
	n := len(s.Frames)
	for s.root() == "runtime.main" && n > 0 {
		f := &s.Frames[n-1]
		if f.Origin != prof.Own && f.Origin != prof.Runtime {
			break
		}
		n--
		if f.Origin == prof.Own && v.File(f.File).InLoop(int(f.Line)) {
			break
		}
	}
	return n
}

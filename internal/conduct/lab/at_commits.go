package lab

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// WorkTree stands for the program as it is, among commits.
const WorkTree = ""

// AtCommits are the variants of a comparison of commits, A, B and so on: the only program of the task as it was at each
// of them, in the repository around workDir. line is the command line that compares them, with what the user said of the
// program and its load; nil where that of the task is not known. A program that is neither a directory nor Go files is
// fail.BadInput.
func (r Task) AtCommits(workDir string, commits ...string) (all []build.Variant, line spec.Line, err error) {
	program := r.Variants[0]
	var words []string
	for i, c := range commits {
		v := program
		v.Name = string(rune('A' + i))
		if c != WorkTree {
			at, err := source.AtRef(program.Source, c, source.Options{WorkDir: workDir})
			if err != nil {
				return nil, nil, err
			}
			if at == nil {
				return nil, nil, fail.New(fail.BadInput,
					"the program is built at each commit, and %q is neither a directory nor Go files", program.Source).
					WithHint("name the directory of the main package: ./cmd/server")
			}
			v.Source = strings.Join(at, " ")
		}
		all = append(all, v)
		words = append(words, strings.TrimSpace(v.Source+" "+shellwords.Join(program.Args)))
	}
	if len(r.Command) > 0 {
		line = slices.Clone(r.Command).AsCompare().Naming(words...)
	}
	return all, line, nil
}

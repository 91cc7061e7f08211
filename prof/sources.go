package prof

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Sources finds the text of source files by the names that profiles give them.
type Sources interface {
	// Source returns a file's text; the error says where it was looked for.
	Source(file string) ([]byte, error)
}

// functionLines returns the first and last line of the outermost functions of Go source
// that hold the lines, in one range; ok is false if it cannot be parsed or they are
// outside of any function.
func functionLines(source []byte, lines []int64) (first, last int64, ok bool) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, false
	}
	for _, d := range file.Decls {
		f, isFunction := d.(*ast.FuncDecl)
		if !isFunction {
			continue
		}
		from, to := int64(files.Position(f.Pos()).Line), int64(files.Position(f.End()).Line)
		for _, line := range lines {
			if line < from || line > to {
				continue
			}
			if !ok || from < first {
				first = from
			}
			last, ok = max(last, to), true
		}
	}
	return first, last, ok
}

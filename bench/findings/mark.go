package findings

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
)

// mark is a planted line: the comment "// want: RULE" stands after it.
type mark struct {
	Rule     string `json:"rule"`
	File     string `json:"file"` // from the program's directory
	Line     int    `json:"line"`
	Function string `json:"function,omitempty"` // without its package: (*store).count
}

func (m mark) String() string { return fmt.Sprintf("%s:%d", m.File, m.Line) }

// readMarks are those of all Go files under a program's directory.
func readMarks(dir string) (all []mark, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		some, err := marksOf(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		for _, m := range some {
			m.File = filepath.ToSlash(name)
			all = append(all, m)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read marks of %s: %w", dir, err)
	}
	return all, nil
}

func marksOf(path string) (all []mark, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if rule, ok := strings.CutPrefix(c.Text, "// want: "); ok {
				all = append(all, mark{Rule: strings.TrimSpace(rule), Line: set.Position(c.Pos()).Line, Function: around(file, c.Pos())})
			}
		}
	}
	return all, nil
}

// around is the declared function that a position is in, as the runtime names it: (*store).count. A
// function literal counts as the function that it is in.
func around(file *ast.File, at token.Pos) string {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || at < f.Pos() || at > f.End() {
			continue
		}
		if f.Recv == nil {
			return f.Name.Name
		}
		return receiver(f.Recv.List[0].Type) + "." + f.Name.Name
	}
	return ""
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "(*" + receiver(e.X) + ")"
	case *ast.IndexExpr:
		return receiver(e.X) + "[...]"
	case *ast.IndexListExpr:
		return receiver(e.X) + "[...]"
	case *ast.Ident:
		return e.Name
	}
	return ""
}

package plant

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/text/units"
)

// Planted says what was planted where.
type Planted struct {
	Function string `json:"function"` // parse.(*Reader).Fields
	File     string `json:"file"`     // without its directory
	Line     int    `json:"line"`
	// Part is the CPU time that it takes, of that of the rest: 0.075 is +7.5 %.
	Part float64 `json:"part"`
}

func (p Planted) String() string {
	return fmt.Sprintf("a slow-down of %s in %s (%s:%d)", strings.TrimPrefix(units.Percent(p.Part), "+"), p.Function,
		p.File, p.Line)
}

// Candidate is a function that operations call.
type Candidate struct {
	Name  string
	Place Place
	Calls int // so many more of the longer run
}

// Choose finds the function that a load, or a benchmark, calls least often, but with each operation: what is planted
// there costs little by itself. The counters are of two runs of one build, of which the second has so many operations
// more. dir has the package of the path. ok is false where no function of the package has counted that often.
func Choose(less, more reach.Counters, operations int, importPath, dir string) (best Candidate, ok bool, err error) {
	for name, blocks := range more {
		if path.Dir(name) != importPath || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := filepath.Join(dir, path.Base(name))
		all, err := functionsOf(file)
		if err != nil {
			return best, false, err
		}
		for _, f := range all {
			f.Calls = entered(blocks, f) - entered(less[name], f)
			if f.Calls >= operations && (!ok || cmp.Or(cmp.Compare(f.Calls, best.Calls),
				cmp.Compare(f.Name, best.Name)) < 0) {
				best, ok = f.Candidate, true
			}
		}
	}
	return best, ok, nil
}

// function is one of a file, from its first to its last line.
type function struct {
	Candidate
	last int
}

// functionsOf are the functions of a file that can call another one first. Those with directives of the compiler, such
// as nosplit, may not.
func functionsOf(file string) (all []function, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Doc != nil && slices.ContainsFunc(f.Doc.List,
			func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }) {
			continue
		}
		name := tree.Name.Name + "." + f.Name.Name
		if f.Recv != nil {
			name = fmt.Sprintf("%s.%s.%s", tree.Name.Name, receiver(f.Recv.List[0].Type), f.Name.Name)
		}
		all = append(all, function{Candidate{Name: name, Place: Place{file, set.Position(f.Pos()).Line}},
			set.Position(f.End()).Line})
	}
	return all, nil
}

// receiver is the type of a method, as Go users write it.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "(*" + receiver(e.X) + ")"
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// entered is how often a function began: its first block.
func entered(blocks []cover.ProfileBlock, f function) int {
	first := cover.ProfileBlock{StartLine: f.last + 1}
	count := 0
	for _, b := range blocks {
		if b.StartLine < f.Place.Line || b.EndLine > f.last {
			continue
		}
		if c := cmp.Or(cmp.Compare(b.StartLine, first.StartLine), cmp.Compare(b.StartCol, first.StartCol)); c < 0 {
			first, count = b, b.Count
		} else if c == 0 {
			count += b.Count
		}
	}
	return count
}

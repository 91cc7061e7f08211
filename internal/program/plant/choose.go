package plant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/reach"
)

// Planted says what was planted where.
type Planted struct {
	Function string `json:"function"` // parse.(*Reader).Fields
	File     string `json:"file"`     // without its directory
	Line     int    `json:"line"`
	Cost
}

func (p Planted) String() string {
	return fmt.Sprintf("%s in %s (%s:%d)", p.Cost, p.Function, p.File, p.Line)
}

// Candidate is a function that operations call.
type Candidate struct {
	Name       string
	Place      Place
	Calls      int // so many more of the longer run
	operations int // of the longer run, beyond those of the other

	file        string   // as counters name it
	first, last position // of its body
}

// Plant is the overlay in which operations cost so much more in the function, and what it says of it.
func (c Candidate) Plant(cost Cost) (Planted, map[string]string, error) {
	overlay, err := Overlay(c.Place, cost.of(float64(c.Calls)/float64(max(1, c.operations))))
	return Planted{Function: c.Name, File: filepath.Base(c.Place.File), Line: c.Place.Line, Cost: cost}, overlay, err
}

// Packages are those of the user's modules in a program, by their import paths: where each lies.
func Packages(ctx context.Context, s reach.Side) (dirs map[string]string, err error) {
	answer, _, err := gocommand.Ask(ctx, s.Env, s.Dir, slices.Concat([]string{"list", "-deps", "-f",
		"{{with .Module}}{{if .Main}}{{$.ImportPath}}\t{{$.Dir}}{{end}}{{end}}"}, s.Flags, []string{"--"}, s.Targets)...)
	if err != nil {
		return nil, err
	}
	dirs = map[string]string{}
	for line := range strings.Lines(string(answer)) {
		if importPath, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			dirs[importPath] = dir
		}
	}
	return dirs, nil
}

// Choose finds the function that a load, or a benchmark, calls least often, but with each operation: what is planted
// there costs little by itself. The counters are of two runs of one build, of which the second has so many operations
// more. dirs are where packages lie, by their import paths: functions of others are not looked at. ok is false where no
// function has counted that often.
func Choose(less, more reach.Counters, operations int, dirs map[string]string) (best Candidate, ok bool, err error) {
	for name, blocks := range more {
		dir, known := dirs[path.Dir(name)]
		if !known || strings.HasSuffix(name, "_test.go") {
			continue
		}
		all, err := functionsOf(filepath.Join(dir, path.Base(name)))
		if errors.Is(err, os.ErrNotExist) { // hone has added it
			continue
		}
		if err != nil {
			return best, false, err
		}
		for _, f := range all {
			f.file = name
			f.Calls, f.operations = f.entered(blocks)-f.entered(less[name]), operations
			if f.Calls >= max(1, operations) && (!ok || cmp.Or(cmp.Compare(f.Calls, best.Calls),
				cmp.Compare(f.Name, best.Name), cmp.Compare(f.Place.Line, best.Place.Line)) < 0) {
				best, ok = f, true
			}
		}
	}
	return best, ok, nil
}

// CalledIn says whether a run has called it.
func (c Candidate) CalledIn(run reach.Counters) bool { return c.entered(run[c.file]) > 0 }

type position struct{ line, column int }

func (p position) compare(o position) int {
	return cmp.Or(cmp.Compare(p.line, o.line), cmp.Compare(p.column, o.column))
}

// functionsOf are the functions of a file that can call another one first. Those with directives of the compiler, such
// as nosplit, may not.
func functionsOf(file string) (all []Candidate, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for _, d := range tree.Decls {
		named := "package " + tree.Name.Name
		f, ok := d.(*ast.FuncDecl)
		if ok {
			named = nameOf(tree.Name.Name, f)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			body := bodyOf(n)
			if body == nil || n == ast.Node(f) && f.Doc != nil && slices.ContainsFunc(f.Doc.List,
				func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }) {
				return true
			}
			name := named
			if n != ast.Node(f) {
				name = "a function in " + named
			}
			place, from, to := placeOf(set, n), set.Position(body.Lbrace), set.Position(body.End())
			place.File = file
			all = append(all, Candidate{Name: name, Place: place, first: position{from.Line, from.Column},
				last: position{to.Line, to.Column}})
			return true
		})
	}
	return all, nil
}

// nameOf is a function as Go users write it.
func nameOf(pkg string, f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return pkg + "." + f.Name.Name
	}
	return fmt.Sprintf("%s.%s.%s", pkg, receiver(f.Recv.List[0].Type), f.Name.Name)
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

// entered is how often it began: its first block.
func (c Candidate) entered(blocks []cover.ProfileBlock) int {
	first, count := c.last, 0
	for _, b := range blocks {
		from := position{b.StartLine, b.StartCol}
		if from.compare(c.first) < 0 || (position{b.EndLine, b.EndCol}).compare(c.last) > 0 {
			continue
		}
		if at := from.compare(first); at < 0 {
			first, count = from, b.Count
		} else if at == 0 {
			count += b.Count
		}
	}
	return count
}

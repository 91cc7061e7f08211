package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/gohone/hone/bench/corpus"
)

// onTop are the kinds of requests that are made on top of a commit.
var onTop = map[corpus.Kind]func(ctx context.Context, tree string, s *corpus.Subject) error{
	addedTest: func(ctx context.Context, tree string, s *corpus.Subject) error {
		text := fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc TestOnePlusOne(t *testing.T) {\n\tif 1+1 != 2 {\n"+
			"\t\tt.Error(\"not 2\")\n\t}\n}\n", s.Package)
		return corpus.Add(ctx, filepath.Join(tree, s.Dir), "zzz_added_test.go", text)
	},
	renamed: func(ctx context.Context, tree string, s *corpus.Subject) error {
		dir := filepath.Join(tree, s.Dir)
		if _, err := rename(dir); err != nil {
			return err
		}
		return corpus.Commits(ctx, dir, "Rename a function")
	},
}

// rename gives a function of a package another name, wherever it is mentioned: the first by name that is not exported
// and whose name means nothing else in the package.
func rename(dir string) (name string, err error) {
	set := token.NewFileSet()
	files, others := map[string]*ast.File{}, ""
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("rename a function: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch filepath.Ext(path) {
		case ".go":
			f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return "", fmt.Errorf("rename a function: %w", err)
			}
			files[path] = f
		case ".s":
			text, err := os.ReadFile(path)
			if err != nil {
				return "", fmt.Errorf("rename a function: %w", err)
			}
			others += string(text)
		}
	}
	uses := mentions{functions: map[string]bool{}, other: map[string]bool{}, at: map[string][]token.Pos{}}
	for _, f := range files {
		uses.file(f)
	}
	for _, name := range slices.Sorted(maps.Keys(uses.functions)) {
		if !uses.other[name] && len(uses.at[name]) > 1 && !strings.Contains(others, name) {
			return name, uses.rewrite(set, name, name+"Renamed")
		}
	}
	return "", errors.New("rename a function: none has a name that means nothing else")
}

// mentions are the names of a package.
type mentions struct {
	functions map[string]bool // at the top, not exported
	other     map[string]bool // names that are something else somewhere: a field, a method, a variable, a text
	at        map[string][]token.Pos
}

// file adds those of a file.
func (m mentions) file(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && !fn.Name.IsExported() && fn.Body != nil && fn.Name.Name != "main" &&
			fn.Name.Name != "init" {
			m.functions[fn.Name.Name] = true
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") {
				m.text(c.Text)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			m.at[n.Name] = append(m.at[n.Name], n.Pos())
		case *ast.BasicLit:
			m.text(n.Value)
		case *ast.SelectorExpr:
			m.other[n.Sel.Name] = true
		case *ast.FuncDecl:
			m.other[n.Name.Name] = m.other[n.Name.Name] || n.Recv != nil
		case *ast.Field:
			m.names(n.Names...)
		case *ast.ValueSpec:
			m.names(n.Names...)
		case *ast.TypeSpec:
			m.names(n.Name)
		case *ast.LabeledStmt:
			m.names(n.Label)
		case *ast.AssignStmt:
			m.expressions(n.Lhs...)
		case *ast.RangeStmt:
			m.expressions(n.Key, n.Value)
		case *ast.KeyValueExpr:
			m.expressions(n.Key)
		case *ast.ImportSpec:
			if n.Name != nil {
				m.names(n.Name)
			}
		}
		return true
	})
}

func (m mentions) names(all ...*ast.Ident) {
	for _, n := range all {
		m.other[n.Name] = true
	}
}

func (m mentions) expressions(all ...ast.Expr) {
	for _, e := range all {
		if id, ok := e.(*ast.Ident); ok {
			m.other[id.Name] = true
		}
	}
}

// text are the words of a text, which may name a function by reflection.
func (m mentions) text(text string) {
	other := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(text, other) {
		m.other[word] = true
	}
}

// rewrite gives all mentions of a name another one.
func (m mentions) rewrite(set *token.FileSet, from, to string) error {
	byFile := map[string][]int{}
	for _, pos := range m.at[from] {
		p := set.Position(pos)
		byFile[p.Filename] = append(byFile[p.Filename], p.Offset)
	}
	for path, offsets := range byFile {
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("rename a function: %w", err)
		}
		slices.Sort(offsets)
		for _, at := range slices.Backward(offsets) {
			text = slices.Concat(text[:at], []byte(to), text[at+len(from):])
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return fmt.Errorf("rename a function: %w", err)
		}
	}
	return nil
}

package sqltrace

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/statement"
)

// The names of regions and the categories of messages in a trace. The statement stands after Call or Prepare.
const (
	Call    = "hone sql "
	Prepare = "hone sql prepare "
	Rows    = "hone sql rows"
	Next    = "hone sql next"
	Pool    = "hone sql pool"
)

//go:embed statements.go.txt
var wrappers string

// Package is what is changed.
const Package = "database/sql"

// Rewrite returns the files that a build is to take instead of those in the directory of
// database/sql, the content by name. The error is of a package that does not look as this one knows it,
// from Go 1.19 on: it is then left as it is.
func Rewrite(dir string) (map[string]string, error) {
	wanted, err := wrapped()
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	changed := map[string]string{wrappersFile: wrappers}
	for _, name := range redactFiles {
		text, err := statement.Sources.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the redaction of statements: %w", err)
		}
		changed[addedFile(name)] = inPackage(string(text))
	}
	taken := declared(changed)
	counted := false
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", Package, err)
		}
		after, counts, err := rename(string(text), wanted, taken)
		if err != nil {
			return nil, fmt.Errorf("read %s: %s: %w", Package, filepath.Base(name), err)
		}
		counted = counted || counts
		if after != string(text) {
			changed[filepath.Base(name)] = after
		}
	}
	for _, w := range wanted {
		if !w.found {
			return nil, fmt.Errorf("%s has no %s", Package, w.key)
		}
	}
	if !counted {
		return nil, fmt.Errorf("%s has no struct %s", Package, rowsType)
	}
	return changed, nil
}

// The names of the files that are added.
const wrappersFile = "hone_statements.go"

// redactFiles are those of package statement that are added.
var redactFiles = []string{"redact.go", "names.go"}

// addedFile is the name of one of them in database/sql.
func addedFile(name string) string { return "hone_" + name }

func inPackage(text string) string {
	return strings.Replace(text, "package statement\n", "package sql\n", 1)
}

// Broke says whether the output of a build that failed is about the changed package.
func Broke(output string) bool {
	signs := []string{wrappersFile, "# " + Package + "\n"}
	for _, name := range redactFiles {
		signs = append(signs, addedFile(name))
	}
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(output, sign) })
}

// function is one that is wrapped.
type function struct {
	key   string // receiver, name and type
	found bool
}

// wrapped are the functions that the added file wraps: those that it has methods for.
func wrapped() ([]*function, error) {
	file, err := parser.ParseFile(token.NewFileSet(), wrappersFile, wrappers, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []*function
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			all = append(all, &function{key: keyOf(f)})
		}
	}
	return all, nil
}

// keyOf is a method as text: "(*Tx).Commit func() error".
func keyOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	return fmt.Sprintf("(%s).%s %s", types.ExprString(f.Recv.List[0].Type), f.Name.Name, types.ExprString(f.Type))
}

// The field that counts rows, and the struct that gets it.
const (
	rowsType     = "Rows"
	counterField = " honeRead honeCounter;"
)

// rename renames the functions of a file that are wrapped, and gives Rows its counter, if they are in the file. Nothing
// else of it changes, so that its lines stay where they are. The error is of a file that declares a name of the added
// ones.
func rename(text string, wanted []*function, taken []string) (after string, counts bool, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return "", false, err
	}
	for _, name := range declaredIn(file) {
		if slices.Contains(taken, name) {
			return "", false, fmt.Errorf("it has %s already", name)
		}
	}
	for _, d := range slices.Backward(file.Decls) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			key := keyOf(d)
			if i := slices.IndexFunc(wanted, func(w *function) bool { return w.key == key }); i >= 0 {
				wanted[i].found = true
				at := files.Position(d.Name.Pos()).Offset
				text = text[:at] + "hone" + strings.ToUpper(d.Name.Name[:1]) + text[at+1:]
			}
		case *ast.GenDecl:
			if body := structIn(d, rowsType); body != nil {
				counts = true
				at := files.Position(body.Fields.Opening).Offset + 1
				text = text[:at] + counterField + text[at:]
			}
		}
	}
	return text, counts, nil
}

// structIn is the struct of a name that a declaration declares by itself; nil if it does not.
func structIn(d *ast.GenDecl, name string) *ast.StructType {
	for _, s := range d.Specs {
		if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name {
			body, _ := t.Type.(*ast.StructType)
			return body
		}
	}
	return nil
}

// declared are the names that files declare in their package.
func declared(files map[string]string) (names []string) {
	for name, text := range files {
		if file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err == nil {
			names = append(names, declaredIn(file)...)
		}
	}
	return names
}

func declaredIn(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

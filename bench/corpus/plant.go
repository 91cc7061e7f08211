package corpus

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// plantedFile has the loop of a planted slow-down: that of calibrate/spin, one cycle or so for each iteration.
const (
	plantedFile = "zzz_planted.go"
	planted     = `

//go:noinline
func plantedLoop(n int) (x uint64) {
	for i := 0; i < n; i++ {
		x ^= uint64(i)
	}
	return x
}
`
)

// Plant adds iterations of a small loop to each call of the hot function, as a commit on top of what is checked out in tree.
func (s Subject) Plant(ctx context.Context, tree string, iterations int) error {
	name, function, _ := strings.Cut(s.Hot, ":")
	path := filepath.Join(tree, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	pkg, text, err := insert(text, function, fmt.Sprintf(" if plantedLoop(%d) == 1<<63 { panic(0) };", iterations))
	if err != nil {
		return fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	return Add(ctx, filepath.Dir(path), plantedFile, "package "+pkg+planted)
}

// insert puts a statement at the begin of a function, NAME or TYPE.NAME, and returns the package's name, too.
func insert(text []byte, function, statement string) (pkg string, changed []byte, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return "", nil, err
	}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || nameOf(f) != function {
			continue
		}
		at := set.Position(f.Body.Lbrace).Offset + 1
		return tree.Name.Name, bytes.Join([][]byte{text[:at], []byte(statement), text[at:]}, nil), nil
	}
	return "", nil, fmt.Errorf("no function %s", function)
}

// nameOf is a function's name, with the type of its receiver before it.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return Receiver(f.Recv.List[0].Type) + "." + f.Name.Name
}

// Receiver is the name of a method's type.
func Receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return Receiver(e.X)
	case *ast.ParenExpr:
		return Receiver(e.X)
	case *ast.IndexExpr:
		return Receiver(e.X)
	case *ast.IndexListExpr:
		return Receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

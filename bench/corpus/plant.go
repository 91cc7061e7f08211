package corpus

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// plantedFile has what a planted statement calls: a loop, that of calibrate/spin with one cycle or so for each iteration, and
// allocations that escape.
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

//go:noinline
func plantedObject() *[2]uint64 { return new([2]uint64) }
`
)

// Planted is what each call of the hot function does besides.
type Planted struct {
	// Iterations are those of a small loop, Allocations objects of 16 bytes on the heap.
	Iterations, Allocations int
}

// statement does it.
func (p Planted) statement() (text string) {
	if p.Iterations > 0 {
		text = fmt.Sprintf(" if plantedLoop(%d) == 1<<63 { panic(0) };", p.Iterations)
	}
	return text + strings.Repeat(" if plantedObject()[1] == 1 { panic(0) };", p.Allocations)
}

// HotFile is the file of the hot function, and PlantedFile the one that a planted statement needs, both from the root of the repository.
func (s Subject) HotFile() string { return s.hot(0) }

// PlantedFile lies next to HotFile.
func (s Subject) PlantedFile() string { return path.Join(path.Dir(s.HotFile()), plantedFile) }

func (s Subject) hot(part int) string { return strings.SplitN(s.Hot, ":", 2)[part] }

// PlantIn returns the hot file with something planted, and the text of PlantedFile.
func (s Subject) PlantIn(text []byte, what Planted) (changed []byte, file string, err error) {
	pkg, changed, err := insert(text, s.hot(1), what.statement())
	if err != nil {
		return nil, "", fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	return changed, "package " + pkg + planted, nil
}

// Plant adds iterations of a small loop to each call of the hot function, as a commit on top of what is checked out in tree.
func (s Subject) Plant(ctx context.Context, tree string, iterations int) error {
	name := filepath.Join(tree, s.HotFile())
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	text, file, err := s.PlantIn(text, Planted{Iterations: iterations})
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("plant in %s: %w", s.Hot, err)
	}
	return Add(ctx, filepath.Dir(name), plantedFile, file)
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

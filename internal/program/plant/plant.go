package plant

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gohone/hone/internal/text/fail"
)

// Place is a function of the source.
type Place struct {
	File string // absolute
	Line int    // of its func
}

// Slower returns the files of an overlay (go help build, -overlay), by absolute path, in which a function takes so much of
// the CPU time of its process that the process takes 1+part times as much. The files are written into dir.
func Slower(at Place, part float64, dir string) (overlay map[string]string, err error) {
	text, err := os.ReadFile(at.File)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "plant a slow-down: %w", err)
	}
	pkg, changed, err := call(text, at)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fail.New(fail.Or(fail.Storage, err), "plant a slow-down: %w", err)
	}
	loop := bytes.Replace([]byte(loopText), []byte("package plant"), []byte("package "+pkg), 1)
	loop = bytes.Replace(loop, []byte("plantedPart = 0.0"),
		[]byte("plantedPart = "+strconv.FormatFloat(part, 'g', -1, 64)), 1)
	overlay = map[string]string{}
	for name, text := range map[string][]byte{filepath.Base(at.File): changed, loopFile: loop} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, fail.New(fail.Or(fail.Storage, err), "plant a slow-down: %w", err)
		}
		overlay[filepath.Join(filepath.Dir(at.File), name)] = path
	}
	return overlay, nil
}

// call has the function at a place call the loop first, on the line of its opening brace, so that no line moves.
func call(text []byte, at Place) (pkg string, changed []byte, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, at.File, text, parser.SkipObjectResolution)
	if err != nil {
		return "", nil, fail.New(fail.BadInput, "plant a slow-down: %w", err)
	}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || set.Position(f.Pos()).Line != at.Line {
			continue
		}
		after := set.Position(f.Body.Lbrace).Offset + 1
		return tree.Name.Name, bytes.Join([][]byte{text[:after], []byte(" " + loopCall + "; "), text[after:]}, nil), nil
	}
	return "", nil, fail.New(fail.BadInput, "plant a slow-down: no function begins at %s",
		fmt.Sprintf("%s:%d", at.File, at.Line))
}

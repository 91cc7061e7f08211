package plant

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/gohone/hone/internal/text/fail"
)

// Place is a function of the source.
type Place struct {
	File         string // absolute
	Line, Column int    // of its func
}

// Overlay returns the files that are built instead of those of the tree, which is not touched: the content by absolute
// path. A function costs so much more there.
func Overlay(at Place, cost Cost) (overlay map[string]string, err error) {
	text, err := os.ReadFile(at.File)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "plant %s: %w", cost, err)
	}
	pkg, changed, err := call(text, at)
	if err != nil {
		return nil, err
	}
	loop := replaceOnce(loopText, "package plant", "package "+pkg)
	for name, value := range map[string]string{
		"plantedPart":    strconv.FormatFloat(cost.Part, 'g', -1, 64),
		"plantedWait":    fmt.Sprintf("time.Duration(%d)", cost.Wait),
		"plantedObjects": strconv.Itoa(cost.Objects),
		"plantedSize":    strconv.Itoa(cost.Size),
	} {
		loop = setConstant(loop, name, value)
	}
	return map[string]string{at.File: string(changed), filepath.Join(filepath.Dir(at.File), loopFile): loop}, nil
}

func replaceOnce(text, before, after string) string {
	return string(bytes.Replace([]byte(text), []byte(before), []byte(after), 1))
}

// setConstant gives a constant of the loop its value.
func setConstant(text, name, value string) string {
	return regexp.MustCompile(`(?m)^(\t`+name+`\s*=) .*$`).ReplaceAllString(text, "${1} "+value)
}

// Write writes the files of an overlay into dir, and returns them by what they replace (go help build, -overlay).
func Write(overlay map[string]string, dir string) (replace map[string]string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fail.New(fail.Or(fail.Storage, err), "write an overlay: %w", err)
	}
	replace = map[string]string{}
	for _, place := range slices.Sorted(maps.Keys(overlay)) {
		path := filepath.Join(dir, filepath.Base(place))
		if err := os.WriteFile(path, []byte(overlay[place]), 0o600); err != nil {
			return nil, fail.New(fail.Or(fail.Storage, err), "write an overlay: %w", err)
		}
		replace[place] = path
	}
	return replace, nil
}

// call has the function at a place call the loop first, on the line of its opening brace, so that no line moves.
func call(text []byte, at Place) (pkg string, changed []byte, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, at.File, text, parser.SkipObjectResolution)
	if err != nil {
		return "", nil, fail.New(fail.BadInput, "plant in a function: %w", err)
	}
	var body *ast.BlockStmt
	ast.Inspect(tree, func(n ast.Node) bool {
		if at := n != nil && placeOf(set, n) == at; at {
			if b := bodyOf(n); b != nil {
				body = b
			}
		}
		return body == nil
	})
	if body == nil {
		return "", nil, fail.New(fail.BadInput, "plant in a function: none begins at %s:%d:%d", at.File, at.Line, at.Column)
	}
	after := set.Position(body.Lbrace).Offset + 1
	return tree.Name.Name, bytes.Join([][]byte{text[:after], []byte(" " + loopCall + "; "), text[after:]}, nil), nil
}

// bodyOf is that of a function, with a name or without; nil for what is no function.
func bodyOf(n ast.Node) *ast.BlockStmt {
	switch f := n.(type) {
	case *ast.FuncDecl:
		return f.Body
	case *ast.FuncLit:
		return f.Body
	}
	return nil
}

func placeOf(set *token.FileSet, n ast.Node) Place {
	p := set.Position(n.Pos())
	return Place{p.Filename, p.Line, p.Column}
}

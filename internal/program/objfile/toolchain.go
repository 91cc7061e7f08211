package objfile

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Toolchain has the numbers that a Go version writes into object files, by their names in package cmd/internal/objabi.
type Toolchain struct {
	// Relocs are the types of relocations, as R_ADDR.
	Relocs map[string]uint16
	// Kinds are those of symbols, as STEXT.
	Kinds map[string]uint8
	// Builtins are the symbols of the runtime that objects refer to by number.
	Builtins []Builtin
}

// Builtin is a symbol that objects refer to by number.
type Builtin struct {
	Name string
	ABI  uint16
}

// Weak marks a type of relocation that keeps nothing in the program: R_WEAK.
const Weak = 1 << 15

// ReadToolchain reads the numbers from the sources that every release of Go has.
func ReadToolchain(goroot string) (*Toolchain, error) {
	dir := filepath.Join(goroot, "src", "cmd", "internal")
	relocs, errRelocs := constants(filepath.Join(dir, "objabi", "reloctype.go"))
	kinds, errKinds := constants(filepath.Join(dir, "objabi", "symkind.go"))
	builtins, errBuiltins := builtins(filepath.Join(dir, "goobj", "builtinlist.go"))
	if err := errors.Join(errRelocs, errKinds, errBuiltins); err != nil {
		return nil, err
	}
	t := &Toolchain{map[string]uint16{}, map[string]uint8{}, builtins}
	for name, n := range relocs {
		t.Relocs[name] = uint16(n)
	}
	for name, n := range kinds {
		t.Kinds[name] = uint8(n)
	}
	if weak := t.Relocs["R_WEAK"]; weak != Weak {
		return nil, fmt.Errorf("R_WEAK of %s is %d", goroot, weak)
	}
	return t, nil
}

// mostSource is how large such a file may be; those of Go 1.26 have less than 20 kB.
const mostSource = 1 << 20

// source parses such a file.
func source(path string) (*token.FileSet, *ast.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostSource))
	if err != nil {
		return nil, nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	return fset, file, err
}

// constants are the constants of a source file without imports, by name.
func constants(path string) (map[string]int64, error) {
	fset, file, err := source(path)
	if err != nil {
		return nil, err
	}
	pkg, err := (&types.Config{}).Check("objabi", fset, []*ast.File{file}, nil)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int64{}
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			if n, exact := constant.Int64Val(constant.ToInt(c.Val())); exact {
				numbers[name] = n
			}
		}
	}
	return numbers, nil
}

// builtins reads the list of symbols that have numbers: its elements are a name and an ABI each.
func builtins(path string) (all []Builtin, err error) {
	_, file, err := source(path)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		row, ok := n.(*ast.CompositeLit)
		if !ok || len(row.Elts) != 2 {
			return true
		}
		name, isName := row.Elts[0].(*ast.BasicLit)
		abi, isABI := row.Elts[1].(*ast.BasicLit)
		if isName && isABI {
			text, errName := strconv.Unquote(name.Value)
			number, errABI := strconv.ParseUint(abi.Value, 10, 16)
			err = errors.Join(err, errName, errABI)
			all = append(all, Builtin{text, uint16(number)})
		}
		return true
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s has no list of symbols", path)
	}
	return all, err
}

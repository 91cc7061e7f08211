package gotypes

import (
	"debug/dwarf"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// mostSource bounds a file of source: the largest that are generated have some megabytes.
const mostSource = 8 << 20

// Declared is where a global variable is declared, by the source in which the program was built; an empty file if that
// is not there. Go's DWARF does not say it.
func (p *Program) Declared(global string) (file string, line int) {
	if p == nil {
		return "", 0
	}
	dot := strings.LastIndexByte(global, '/') + 1
	if i := strings.IndexByte(global[dot:], '.'); i >= 0 {
		dot += i
	}
	pkg, name := global[:dot], strings.TrimPrefix(global[dot:], ".")
	if _, known := p.declared[pkg]; !known {
		if p.declared == nil {
			p.declared = map[string]map[string]token.Position{}
		}
		p.declared[pkg] = p.declarations(pkg)
	}
	at := p.declared[pkg][name]
	return at.Filename, at.Line
}

// declarations are the places of the variables of a package.
func (p *Program) declarations(pkg string) map[string]token.Position {
	all := map[string]token.Position{}
	for dir := range p.directories(pkg) {
		entries, _ := os.ReadDir(dir) // a directory that is not there has no declarations
		for _, e := range entries {
			if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
				declaredIn(filepath.Join(dir, e.Name()), all)
			}
		}
	}
	return all
}

// directories are those of the files in which functions of a package are.
func (p *Program) directories(pkg string) map[string]bool {
	all := map[string]bool{}
	if p.lines != nil {
		for _, f := range p.lines.Funcs {
			if rest, ok := strings.CutPrefix(f.Name, pkg+"."); !ok ||
				strings.Contains(strings.SplitN(rest, "[", 2)[0], "/") {
				continue
			}
			if file, _ := p.Line(f.Entry); filepath.IsAbs(file) {
				all[filepath.Dir(file)] = true
			}
		}
	}
	if unit, known := p.units[pkg]; known && len(all) == 0 {
		p.ofUnit(pkg, unit, all)
	}
	return all
}

// ofUnit adds the directory of a package of which no function has a place, since all were inlined.
func (p *Program) ofUnit(pkg string, unit dwarf.Offset, all map[string]bool) {
	e := p.entryAt(unit)
	if e == nil {
		return
	}
	lines, err := p.data.LineReader(e)
	if err != nil || lines == nil {
		return
	}
	for _, f := range lines.Files() {
		if f != nil && filepath.IsAbs(f.Name) && path.Base(pkg) == filepath.Base(filepath.Dir(f.Name)) {
			all[filepath.Dir(f.Name)] = true
		}
	}
}

// Mentions says whether a line of the program's source has a name; false if the source is not there.
func (p *Program) Mentions(file string, line int, name string) bool {
	if p == nil || p.lines == nil || p.lines.Files[file] == nil || line < 1 || name == "" || !filepath.IsAbs(file) {
		return false
	}
	src, known := p.source[file]
	if !known {
		if p.source == nil {
			p.source = map[string][]string{}
		}
		src = strings.Split(string(readSource(file)), "\n")
		p.source[file] = src
	}
	if line > len(src) {
		return false
	}
	isPart := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return slices.Contains(strings.FieldsFunc(src[line-1], func(r rune) bool { return !isPart(r) }), name)
}

// readSource reads a file of source; nil if it is not there.
func readSource(name string) []byte {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, mostSource))
	if err != nil {
		return nil
	}
	return src
}

func declaredIn(name string, all map[string]token.Position) {
	src := readSource(name)
	if src == nil {
		return
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				all[n.Name] = files.Position(n.Pos())
			}
		}
	}
}

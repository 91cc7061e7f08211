package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/fail"
)

// edit replaces the bytes from start to end of a file.
type edit struct {
	start, end int
	text       string
}

// sourceOf is the file that a position is in.
func (c *code) sourceOf(p token.Pos) *source {
	file := c.fset.File(p)
	i := slices.IndexFunc(c.files, func(s *source) bool { return s.path == file.Name() })
	return c.files[i]
}

func (c *code) offset(p token.Pos) int { return c.fset.PositionFor(p, false).Offset }

// replace puts a text in the place of what lies between two positions.
func (c *code) replace(from, to token.Pos, format string, args ...any) {
	s := c.sourceOf(from)
	s.edits = append(s.edits, edit{c.offset(from), c.offset(to), fmt.Sprintf(format, args...)})
}

func (c *code) insert(at token.Pos, format string, args ...any) { c.replace(at, at, format, args...) }

// text is the source of a node as it stands.
func (c *code) text(n ast.Node) string {
	return string(c.sourceOf(n.Pos()).text[c.offset(n.Pos()):c.offset(n.End())])
}

// insertBehind adds lines behind a statement, and behind a comment at the end of its line.
func (c *code) insertBehind(n ast.Node, format string, args ...any) {
	s := c.sourceOf(n.Pos())
	at := c.offset(n.End())
	line, _, _ := bytes.Cut(s.text[at:], []byte("\n"))
	if rest := bytes.TrimSpace(line); len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) {
		at += len(line)
	}
	s.edits = append(s.edits, edit{at, at, "\n" + fmt.Sprintf(format, args...)})
}

// before is where a new declaration goes that belongs to a function: before its comment.
func before(fn *ast.FuncDecl) token.Pos {
	if fn.Doc != nil {
		return fn.Doc.Pos()
	}
	return fn.Pos()
}

// note keeps a sentence for the user, once.
func (c *code) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// freshName is a name that no file of the directory has: words in camel case.
func (c *code) freshName(words ...string) string {
	var b strings.Builder
	for _, w := range words {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		if w == "" {
			continue
		}
		first, size := utf8.DecodeRuneInString(w)
		if b.Len() == 0 {
			b.WriteRune(unicode.ToLower(first))
		} else {
			b.WriteRune(unicode.ToUpper(first))
		}
		b.WriteString(w[size:])
	}
	base := b.String()
	name := base
	for i := 2; c.taken[name] || types.Universe.Lookup(name) != nil || token.IsKeyword(name); i++ {
		name = base + strconv.Itoa(i)
	}
	c.taken[name] = true
	return name
}

// packageName is what a package is called at a position of its file; it is imported if need be.
func (c *code) packageName(at token.Pos, importPath string) (string, error) {
	s := c.sourceOf(at)
	if name, ok := s.added[importPath]; ok {
		return name, nil
	}
	name := path.Base(importPath)
	for _, spec := range s.file.Imports {
		if unquote(spec.Path.Value) != importPath {
			continue
		}
		if spec.Name != nil && (spec.Name.Name == "." || spec.Name.Name == "_") {
			continue
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if shadow := c.visible(at, name); shadow != nil {
			if _, isPackage := shadow.(*types.PkgName); !isPackage {
				return "", c.refuse(at, "the name of package %s means something else here", name)
			}
		}
		return name, nil
	}
	alias := ""
	if c.declared[name] || c.meansOther(s, name) { // a name of its own is safe everywhere
		name = c.freshName("std", name)
		alias = name + " "
	}
	c.taken[name] = true
	if s.added == nil {
		s.added = map[string]string{}
	}
	s.added[importPath] = name
	c.addImport(s, alias+strconv.Quote(importPath))
	return name, nil
}

// meansOther says that a file has a name for something else than a package or a member.
func (c *code) meansOther(s *source, name string) bool {
	found := collect(s.file, func(id *ast.Ident) bool {
		o := c.objectOf(id)
		return id.Name == name && o != nil && !isPackageName(o) && !isMember(o)
	})
	return len(found) > 0
}

// visible is what a name means at a position.
func (c *code) visible(at token.Pos, name string) types.Object {
	scope := c.pkg.Scope().Innermost(at)
	if scope == nil {
		scope = c.info.Scopes[c.sourceOf(at).file]
	}
	_, object := scope.LookupParent(name, at)
	return object
}

// addImport adds a line to the imports of a file, in their order: those of the standard library
// come first.
func (c *code) addImport(s *source, spec string) {
	var g *ast.GenDecl
	if len(s.file.Decls) > 0 {
		g, _ = s.file.Decls[0].(*ast.GenDecl)
	}
	switch {
	case g == nil || g.Tok != token.IMPORT:
		c.insert(s.file.Name.End(), "\n\nimport %s", spec)
		return
	case !g.Lparen.IsValid():
		c.replace(g.Specs[0].Pos(), g.Specs[0].End(), "(\n\t%s\n\t%s\n)", spec, c.text(g.Specs[0]))
		return
	}
	for _, one := range g.Specs {
		path := unquote(one.(*ast.ImportSpec).Path.Value)
		if strings.Contains(path, ".") {
			break
		}
		if path > unquote(lastWord(spec)) {
			c.insert(one.Pos(), "%s\n\t", spec)
			return
		}
	}
	c.insertLast(g, spec)
}

// insertLast adds a line after the imports of the standard library.
func (c *code) insertLast(g *ast.GenDecl, spec string) {
	var last ast.Spec
	for _, one := range g.Specs {
		if strings.Contains(unquote(one.(*ast.ImportSpec).Path.Value), ".") {
			break
		}
		last = one
	}
	if last == nil {
		c.insert(g.Lparen+1, "\n\t%s\n", spec)
		return
	}
	c.insertBehind(last, "\t%s", spec)
}

func lastWord(spec string) string { return spec[strings.LastIndexByte(spec, ' ')+1:] }

func unquote(literal string) string {
	text, _ := strconv.Unquote(literal) // go/parser has accepted it
	return text
}

// atLeast refuses modules whose go.mod asks for an older Go than the change needs.
func (c *code) atLeast(at token.Pos, release, what string) error {
	if version.IsValid(c.goLine) && version.Compare(c.goLine, release) < 0 {
		return c.refuse(at, "the change needs %s, which came with %s, and go.mod says %s", what, release, c.goLine)
	}
	return nil
}

// change applies the edits.
func (c *code) change(r *Rewrite) (*Change, error) {
	change := &Change{Does: r.Does, Notes: c.notes, Package: c.dir, options: c.options}
	for _, s := range c.files {
		if len(s.edits) == 0 {
			continue
		}
		if err := c.checkFile(s); err != nil {
			return nil, err
		}
		after, err := s.apply()
		if err != nil {
			return nil, err
		}
		name, _ := relative(c.options.Module, s.path)
		change.Files = append(change.Files, File{Path: s.path, Name: name, Before: s.text, After: after})
	}
	slices.SortFunc(change.Files, byPath)
	return change, nil
}

// apply makes the edits. What gofmt would leave as it is before it would leave so after, too; a
// file that is not formatted keeps its form.
func (s *source) apply() ([]byte, error) {
	slices.SortStableFunc(s.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	var b bytes.Buffer
	at := 0
	for _, e := range s.edits {
		if e.start < at {
			return nil, fail.New(fail.Internal, "edits of %s overlap at byte %d", s.path, e.start)
		}
		b.Write(s.text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(s.text[at:])
	formatted, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fail.New(fail.Internal, "the rewritten %s is not valid Go: %w", s.path, err)
	}
	if was, err := format.Source(s.text); err == nil && bytes.Equal(was, s.text) {
		return formatted, nil
	}
	_, err = parser.ParseFile(token.NewFileSet(), s.path, b.Bytes(), 0)
	return b.Bytes(), err
}
